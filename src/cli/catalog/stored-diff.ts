import { defineIssues, fail } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import type { CatalogDiff, CatalogSide } from '../../model/catalog-diff.ts'
import { diffSides } from '../../model/catalog-diff.ts'
import { changedFiles, sourceContent } from '../../model/sourced-files.ts'
import type { Invocation } from '../command/command.ts'
import { type Asked, type askOptions, withStore } from '../query/asked.ts'
import { objectOf, plain, questionAt, rowsOf } from '../query/rows.ts'

const issues = defineIssues({
  NO_STORED_CATALOG: {
    text: (a: { name: string; moment: string }) => `The store has no catalog of ${a.name} at ${a.moment}`,
    hint: (a) => `'plumb node history ${a.name} --kind catalog' lists the stored catalogs.`,
  },
})

/** A catalog in the store: `NODE@TIME` or `NODE@CODE_ID`. */
export interface Stored {
  readonly name: string
  readonly moment: string
}

/** Parses `NODE@TIME` or `NODE@CODE_ID`; `undefined` for other text, such as the Git ref `main@{1}`. */
export function storedIn(word: string | undefined): Stored | undefined {
  const [, name, moment] = /^([^@\s]{1,255})@([^@{\s][^{\n]{0,254})$/.exec(word ?? '') ?? []
  return name === undefined || moment === undefined ? undefined : { name, moment }
}

/** Compares two catalogs of the store. Throws NO_STORED_CATALOG. */
export function diffStored(
  invocation: Pick<Invocation<typeof askOptions>, 'options' | 'settings' | 'io'>,
  sides: readonly [from: Stored, to: Stored],
): Promise<CatalogDiff> {
  return withStore(invocation, async (store) => {
    const read = async ({ name, moment }: Stored) =>
      sideOf(
        (await objectOf(store, questionAt(['catalogs', name], { as_of: moment }))) ??
          fail(issues.NO_STORED_CATALOG, { name, moment }),
      )
    const [from, to] = [await read(sides[0]), await read(sides[1])]
    for (const file of changedFiles(await filesIn(store, sides[0]), await filesIn(store, sides[1]))) {
      from.resources.get(`File[${file.title}]`)?.set(sourceContent, file.from)
      to.resources.get(`File[${file.title}]`)?.set(sourceContent, file.to)
    }
    return diffSides(from, to)
  })
}

/** Checksums of files in a catalog, by resource title; `undefined` if the store has none. */
async function filesIn(store: Asked, { name, moment }: Stored): Promise<ExactJson | undefined> {
  const query = printJson(['=', 'certname', name])
  const [row] = await rowsOf(store, questionAt(['sourced-files'], { query, as_of: moment }))
  return row && plain(row)['files']
}

type Row = Readonly<Record<string, ExactJson>>

/** One side of a comparison, with mutable parameters. */
interface StoredSide extends CatalogSide {
  readonly resources: ReadonlyMap<string, Map<string, ExactJson>>
}

/** Converts a catalog in PuppetDB's format. */
function sideOf({ code_id, catalog_uuid, resources, edges }: Row): StoredSide {
  return {
    label: { codeId: typeof code_id === 'string' ? code_id : undefined, catalogUuid: String(catalog_uuid ?? '') },
    resources: new Map(
      dataOf(resources).map(({ type, title, parameters, exported }) => [
        `${type}[${title}]`,
        new Map<string, ExactJson>([
          ...Object.entries(isExactObject(parameters) ? plain(parameters) : {}),
          ...(exported === true ? [['exported', true] as const] : []),
        ]),
      ]),
    ),
    edges: new Set(
      dataOf(edges).map(
        (edge) =>
          `${edge['source_type']}[${edge['source_title']}] ${edge['relationship']} ${edge['target_type']}[${edge['target_title']}]`,
      ),
    ),
  }
}

function dataOf(expanded: ExactJson | undefined): readonly Row[] {
  const data = isExactObject(expanded) ? plain(expanded)['data'] : undefined
  return Array.isArray(data) ? data.map((each) => plain(each as never)) : []
}
