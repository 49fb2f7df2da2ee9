import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { ignoreMissingFile } from '../../base/system-error.ts'
import { type DescribedModule, listDescribedModules } from '../../code/environments/module-dependencies.ts'
import type { ListedRelease } from '../../deploy/modules/forge-listing.ts'
import { SemVer } from '../../language/values/semver.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'
import type { CommandInvocation } from '../command/command.ts'
import { loadCodeSettings, openCodeWithOverrides } from '../input/code-source.ts'

/** A module in a directory of the modulepath. */
export interface InstalledModule {
  /** `OWNER-NAME`, or only `NAME` if the module has no metadata. */
  readonly slug: string
  readonly version: string | undefined
  readonly described: DescribedModule
  /** The directory of modules. */
  readonly directory: string
  /** The directory of the module. */
  readonly path: string
}

/** The modules of the modulepath; of several with the same name, the first is used. */
export interface ModuleInventory {
  readonly settings: Settings
  /** Directories of the modulepath. */
  readonly directories: readonly string[]
  readonly modules: readonly InstalledModule[]
}

/** Lists the modules in the directories of the modulepath that a command names. */
export async function listInstalledModules({
  options,
  io,
  settings: given,
}: Pick<CommandInvocation, 'options' | 'io' | 'settings'>): Promise<ModuleInventory> {
  const asked = { options, io, settings: given }
  const settings = loadCodeSettings(asked, 'user')
  const code = await openCodeWithOverrides(asked, settings, { mayBeAbsent: true })
  const folders = listDescribedModules(code)
  const getDirectory = ({ tree, path }: { readonly tree: { readonly root: string }; readonly path: string }) =>
    path === '' ? tree.root : join(tree.root, path)
  return {
    settings,
    directories: folders.map(([folder]) => getDirectory(folder)),
    modules: folders.flatMap(([folder, modules]) =>
      modules.map((described) => ({
        slug: described.forgeName?.replace('/', '-') ?? described.name,
        version: described.version,
        described,
        directory: getDirectory(folder),
        path: join(getDirectory(folder), described.name),
      })),
    ),
  }
}

/** The modules with metadata and a semantic version, by slug. */
export function listReleases(modules: readonly InstalledModule[]): ReadonlyMap<string, ListedRelease> {
  const found = new Map<string, ListedRelease>()
  for (const { slug, version, described } of modules) {
    const parsed = SemVer.parse(version ?? '')
    if (parsed && !found.has(slug)) found.set(slug, { slug, version: parsed, dependencies: described.dependencies })
  }
  return found
}

/** The modules that require a module. Puppet: module.rb. */
export function listDependents(
  modules: readonly InstalledModule[],
  slug: string,
): readonly { readonly slug: string; readonly range: string }[] {
  return modules.flatMap((each) =>
    each.described.dependencies
      .filter(({ name }) => name.replace('/', '-') === slug)
      .map(({ range }) => ({ slug: each.slug, range })),
  )
}

/**
 * Lists the files of a module that differ from its checksums.json; empty if it has none. Puppet:
 * module_tool/applications/checksummer.rb.
 */
export async function listLocalChanges(folder: string): Promise<readonly string[]> {
  const file = join(folder, 'checksums.json')
  if (!existsSync(file)) return []
  const { answer, answerItems } = budgets.module
  const text = readBoundedFileSync(file, answer.bound).toString('utf8')
  const checksums = checkJsonObject(
    parseBoundedJson(text, { characters: answer.bound, items: answerItems.bound }),
    'checksums.json',
  )
  const changed: string[] = []
  for (const [path, expected] of Object.entries(checksums)) {
    if (path.startsWith('/') || path.split('/').includes('..') || path === 'metadata.json') continue
    const content = await ignoreMissingFile(readFile(join(folder, path)))
    const digest = content && createHash('md5').update(content).digest('hex')
    if (digest !== expected) changed.push(path)
  }
  return changed.sort()
}
