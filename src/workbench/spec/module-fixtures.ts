import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues } from '../../base/issue.ts'
import { isFixtureName, readFixturesFile, resolveFixtureLink } from './fixtures-file.ts'

const issues = defineIssues({
  FIXTURES_MISSING: {
    text: (a: { names: readonly string[] }) => `Modules of .fixtures.yml are missing: ${a.names.join(', ')}`,
    hint: () =>
      "Put them into spec/fixtures/modules ('bundle exec rake spec_prep'), or name their directory with --modulepath.",
  },
})

/** Modules that a suite needs. */
export interface ModuleFixtures {
  /** Folders by module name: the module itself, and the symlinks of .fixtures.yml. */
  readonly folders: ReadonlyMap<string, string>
  /** Modules of .fixtures.yml that must come from the Forge or from repositories. */
  readonly fetched: readonly string[]
}

/** Reads metadata.json and .fixtures.yml of a module. Throws FIXTURES_INVALID. */
export function readModuleFixtures(folder: string): ModuleFixtures {
  const own = readModuleName(folder)
  const { fixtures } = readFixturesFile(folder, own)
  const symlinks = fixtures.flatMap((each): [string, string][] => {
    const path = each.kind === 'symlinks' ? resolveFixtureLink(each, folder) : ''
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? [[each.name, path]] : []
  })
  const fetched = fixtures.filter(({ kind }) => kind !== 'symlinks').map(({ name }) => name)
  return { folders: new Map([...(own === undefined ? [] : [[own, folder] as const]), ...symlinks]), fetched }
}

/**
 * Links the folders of fixtures below `target`, which becomes a folder of a modulepath. Returns the warning about modules
 * that no folder of `modulepath` contains.
 */
export function linkModuleFixtures(
  { folders, fetched }: ModuleFixtures,
  target: string,
  modulepath: readonly string[],
): string | undefined {
  mkdirSync(target, { recursive: true })
  for (const [name, folder] of folders) symlinkSync(folder, join(target, name))
  const isThere = (name: string) => folders.has(name) || modulepath.some((path) => existsSync(join(path, name)))
  const names = fetched.filter((name) => !isThere(name))
  const issue = issues.FIXTURES_MISSING
  return names.length === 0 ? undefined : `${issue.text({ names })}. ${issue.hint()}`
}

/** Returns the name of the module from its metadata.json; undefined without a valid one. */
export function readModuleName(folder: string): string | undefined {
  const file = join(folder, 'metadata.json')
  if (!isReadable(file)) return undefined
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown }
    const short = typeof name === 'string' ? name.replace(/^[^-/]*[-/]/, '') : ''
    return isFixtureName(short) ? short : undefined
  } catch {
    return undefined
  }
}

function isReadable(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= budgets.environment.moduleMetadata.bound
}
