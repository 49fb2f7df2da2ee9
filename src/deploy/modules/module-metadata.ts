import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { isExactObject } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import {
  findUnmetDependencies,
  type ModuleDescription,
  parseModuleDescription,
  type UnmetDependency,
} from '../../code/environments/module-dependencies.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import type { FetchedModule } from './fetched-module.ts'
import { readBlobs } from './module-tree.ts'

/** A fetched module with the content of its metadata.json. */
export interface DescribedContent extends ModuleDescription {
  readonly fetched: FetchedModule
  /** SPDX id or text of the license. */
  readonly license: string | undefined
}

const { codeFile } = budgets.push
/** Maximum number of values in a metadata.json. A usual file has hundreds of dependencies and OS releases. */
const maxItems = 20_000

/**
 * Reads the metadata.json of modules; a missing or invalid file gives an empty description. Throws
 * GIT_FAILED.
 */
export async function describeModules(
  place: GitPlace,
  modules: readonly FetchedModule[],
): Promise<readonly DescribedContent[]> {
  const asked = modules.map(({ tree }) => `${tree}:metadata.json\n`).join('')
  const lines = (await runGit(place, ['cat-file', '--batch-check'], asked)).toString().split('\n')
  const entries = modules.map((_, index) => {
    const [, oid = '', size = ''] = /^([0-9a-f]{40,64}) blob (\d{1,9})$/.exec(lines[index] ?? '') ?? []
    return oid === '' || Number(size) > codeFile.bound ? undefined : { oid, size: Number(size) }
  })
  const texts = await readBlobs(
    place,
    entries.flatMap((entry) => entry ?? []),
  )
  let next = 0
  return modules.map((fetched, index) => {
    const metadata = entries[index] && parseMetadata(texts[next++] ?? '')
    const license = metadata?.['license']
    return { fetched, ...parseModuleDescription(metadata), license: typeof license === 'string' ? license : undefined }
  })
}

function parseMetadata(text: string): Record<string, unknown> | undefined {
  try {
    const found = parseBoundedJson(text, { characters: codeFile.bound, items: maxItems })
    return isExactObject(found) ? checkJsonObject(found, 'metadata.json') : undefined
  } catch {
    return undefined
  }
}

/** Returns dependencies that the modules do not satisfy among themselves, ordered by module name. */
export function listUnmetDependencies(
  modules: readonly DescribedContent[],
): readonly UnmetDependency<DescribedContent>[] {
  const named = new Map(modules.map((module) => [module.fetched.module.name, module]))
  return modules
    .toSorted((one, other) => compareCodeUnits(one.fetched.module.name, other.fetched.module.name))
    .flatMap((module) => findUnmetDependencies(module, named))
}

/** Returns modules by the name used in dependencies. */
export function indexByForgeName(modules: readonly DescribedContent[]): ReadonlyMap<string, DescribedContent> {
  return new Map(modules.flatMap((module) => (module.forgeName === undefined ? [] : [[module.forgeName, module]])))
}
