import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import type { CatalogDiff, PreparedCatalog } from '../../model/catalog-diff.ts'
import { diffPreparedCatalogs } from '../../model/catalog-diff.ts'
import { findChangedFiles, sourceContent } from '../../model/sourced-files.ts'
import type { CommandInvocation } from '../command/command.ts'
import type { tokenOptions } from '../connection/token-session.ts'
import { createGetQuery, queryObject, readQueryRows, toPlainObject } from '../query/query-rows.ts'
import { type NodeQueryStore, withQueryStore } from '../query/query-store.ts'

const issues = defineIssues({
  NO_STORED_CATALOG: {
    text: (a: { name: string; moment: string }) => `The store has no catalog of ${a.name} at ${a.moment}`,
    hint: (a) => `'plumb node history ${a.name} --kind catalog' lists the stored catalogs.`,
  },
})

/** A catalog in the store: `NODE@TIME` or `NODE@CODE_ID`. */
export interface StoredCatalogReference {
  readonly name: string
  readonly moment: string
}

/** Parses `NODE@TIME` or `NODE@CODE_ID`; `undefined` for other text, such as the Git ref `main@{1}`. */
export function parseStoredReference(word: string | undefined): StoredCatalogReference | undefined {
  const [, name, moment] = /^([^@\s]{1,255})@([^@{\s][^{\n]{0,254})$/.exec(word ?? '') ?? []
  return name === undefined || moment === undefined ? undefined : { name, moment }
}

/** Compares two catalogs of the store. Throws NO_STORED_CATALOG. */
export function diffStoredCatalogs(
  invocation: Pick<CommandInvocation<typeof tokenOptions>, 'options' | 'settings' | 'io'>,
  sides: readonly [from: StoredCatalogReference, to: StoredCatalogReference],
): Promise<CatalogDiff> {
  return withQueryStore(invocation, async (store) => {
    const readSide = async ({ name, moment }: StoredCatalogReference) =>
      toCatalogSide(
        (await queryObject(store, createGetQuery(['catalogs', name], { as_of: moment }))) ??
          throwIssue(issues.NO_STORED_CATALOG, { name, moment }),
      )
    const [from, to] = [await readSide(sides[0]), await readSide(sides[1])]
    for (const file of findChangedFiles(
      await readFileChecksums(store, sides[0]),
      await readFileChecksums(store, sides[1]),
    )) {
      from.resources.get(`File[${file.title}]`)?.set(sourceContent, file.from)
      to.resources.get(`File[${file.title}]`)?.set(sourceContent, file.to)
    }
    return diffPreparedCatalogs(from, to)
  })
}

/** Checksums of files in a catalog, by resource title; `undefined` if the store has none. */
async function readFileChecksums(
  store: NodeQueryStore,
  { name, moment }: StoredCatalogReference,
): Promise<ExactJson | undefined> {
  const query = formatExactJson(['=', 'certname', name])
  const [row] = await readQueryRows(store, createGetQuery(['sourced-files'], { query, as_of: moment }))
  return row && toPlainObject(row)['files']
}

type Row = Readonly<Record<string, ExactJson>>

/** One side of a comparison, with mutable parameters. */
interface StoredSide extends PreparedCatalog {
  readonly resources: ReadonlyMap<string, Map<string, ExactJson>>
}

/** Converts a catalog in PuppetDB's format. */
function toCatalogSide({ code_id, catalog_uuid, resources, edges }: Row): StoredSide {
  return {
    label: { codeId: typeof code_id === 'string' ? code_id : undefined, catalogUuid: String(catalog_uuid ?? '') },
    resources: new Map(
      getExpandedRows(resources).map(({ type, title, parameters, exported }) => [
        `${type}[${title}]`,
        new Map<string, ExactJson>([
          ...Object.entries(isExactObject(parameters) ? toPlainObject(parameters) : {}),
          ...(exported === true ? [['exported', true] as const] : []),
        ]),
      ]),
    ),
    edges: new Set(
      getExpandedRows(edges).map(
        (edge) =>
          `${edge['source_type']}[${edge['source_title']}] ${edge['relationship']} ${edge['target_type']}[${edge['target_title']}]`,
      ),
    ),
  }
}

function getExpandedRows(expanded: ExactJson | undefined): readonly Row[] {
  const data = isExactObject(expanded) ? toPlainObject(expanded)['data'] : undefined
  return Array.isArray(data) ? data.map((each) => toPlainObject(each as never)) : []
}
