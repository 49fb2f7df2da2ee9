import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'

const issues = defineIssues({
  FIXTURES_INVALID: {
    text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}`,
    hint: () => 'Write fixtures as puppetlabs_spec_helper expects them: repositories, forge_modules and symlinks.',
  },
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
  const listed = readFixturesFile(folder)
  const symlinks = Object.entries(listed('symlinks')).flatMap(([name, target]): [string, string][] => {
    const path = resolveTarget(target, folder)
    return path !== undefined && isModuleName(name) ? [[name, path]] : []
  })
  const fetched = [...Object.keys(listed('repositories')), ...Object.keys(listed('forge_modules'))]
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
  const names = fetched.filter((name) => isModuleName(name) && !isThere(name))
  const issue = issues.FIXTURES_MISSING
  return names.length === 0 ? undefined : `${issue.text({ names })}. ${issue.hint()}`
}

/** Returns the name of the module from its metadata.json. */
function readModuleName(folder: string): string | undefined {
  const file = join(folder, 'metadata.json')
  if (!isReadable(file)) return undefined
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown }
    const short = typeof name === 'string' ? name.replace(/^[^-/]*[-/]/, '') : ''
    return isModuleName(short) ? short : undefined
  } catch {
    return undefined
  }
}

type Listed = (kind: string) => Readonly<Record<string, unknown>>

function readFixturesFile(folder: string): Listed {
  const file = ['.fixtures.yml', '.fixtures.yaml'].map((name) => join(folder, name)).find(isReadable)
  if (file === undefined) return () => ({})
  try {
    const fixtures = toRecord(toRecord(convertYamlToJson(readFileSync(file, 'utf8'), {}))['fixtures'])
    return (kind) => toRecord(fixtures[kind])
  } catch (error) {
    return throwIssue(issues.FIXTURES_INVALID, { file, why: (error as Error).message.split('\n', 1)[0]! })
  }
}

function isReadable(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= budgets.environment.moduleMetadata.bound
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (value instanceof Map) return Object.fromEntries(value) as Record<string, unknown>
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** Returns the folder of a symlink: a path, or a hash with a target. */
function resolveTarget(target: unknown, folder: string): string | undefined {
  const text = typeof target === 'string' ? target : toRecord(target)['target']
  if (typeof text !== 'string' || text === '') return undefined
  const path = text.replaceAll('#{source_dir}', folder)
  const found = isAbsolute(path) ? path : resolve(folder, path)
  return statSync(found, { throwIfNoEntry: false })?.isDirectory() ? found : undefined
}

function isModuleName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name)
}
