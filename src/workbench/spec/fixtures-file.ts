import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { toJsonRecord } from '../../base/json/json-checks.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'

/** Kinds of fixtures. */
export type FixtureKind = 'symlinks' | 'repositories' | 'forge_modules'

/** A fixture of .fixtures.yml, with the defaults of its kind. */
export interface Fixture {
  readonly kind: FixtureKind
  /** Name of the module and its folder. */
  readonly name: string
  /** Folder of a link, address of a repository, or `author/name` on the Forge. */
  readonly repo: string
  /** The folder of the fixture, relative to the module under test. */
  readonly target: string
  readonly ref: string | undefined
  readonly branch: string | undefined
  readonly scm: string | undefined
  readonly subdir: string | undefined
  /** Options that puppetlabs_spec_helper passes to git or to `puppet module install`. */
  readonly flags: readonly string[]
}

/** The fixtures of a module. */
export interface FixturesFile {
  /** Path of the file; undefined if the module has none. */
  readonly file: string | undefined
  readonly text: string
  readonly fixtures: readonly Fixture[]
}

const issues = defineIssues({
  FIXTURES_INVALID: {
    text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}`,
    hint: () => 'Write fixtures as puppetlabs_spec_helper expects them: repositories, forge_modules and symlinks.',
  },
})

/** Default folder of fixtures. puppetlabs_spec_helper: tasks/fixtures.rb. */
const modulesFolder = 'spec/fixtures/modules'

/**
 * Reads the file of fixtures of a module: FIXTURES_YML, .fixtures.yml or .fixtures.yaml. Text in `#{…}` is Ruby code for
 * puppetlabs_spec_helper; only `source_dir` and `module_name` are replaced here. Throws FIXTURES_INVALID.
 */
export function readFixturesFile(folder: string, moduleName: string | undefined): FixturesFile {
  const { FIXTURES_YML: named } = process.env
  const names = named ? [named] : ['.fixtures.yml', '.fixtures.yaml']
  const file = names.map((name) => resolve(folder, name)).find((path) => named || existsSync(path))
  if (file === undefined) return { file, text: '', fixtures: [] }
  try {
    const text = readBoundedFileSync(file, budgets.spec.fixturesFile.bound).toString('utf8')
    return { file, text, fixtures: parseFixtures(text, { folder, moduleName: moduleName ?? '' }) }
  } catch (error) {
    return throwIssue(issues.FIXTURES_INVALID, { file, why: (error as Error).message.split('\n', 1)[0]! })
  }
}

/** The module of a file of fixtures. */
export interface FixtureContext {
  readonly folder: string
  readonly moduleName: string
}

/** Parses a file of fixtures, in the order of puppetlabs_spec_helper. Throws YamlError, and Error for other forms. */
export function parseFixtures(text: string, context: FixtureContext): readonly Fixture[] {
  const yaml = convertYamlToJson(text, {})
  if (yaml === null || yaml === false || yaml === undefined) return []
  const file = toJsonRecord(yaml)
  if (!Object.hasOwn(file, 'fixtures')) throw new Error("No 'fixtures' entries found; required")
  const [fixtures, defaults] = [toJsonRecord(file['fixtures']), toJsonRecord(file['defaults'])]
  const found = (['symlinks', 'repositories', 'forge_modules'] as const).flatMap((kind) =>
    Object.entries(toJsonRecord(fixtures[kind])).flatMap(([name, given]) => {
      const own =
        typeof given === 'string'
          ? { repo: given }
          : isExactObject((given ?? null) as ExactJson)
            ? toJsonRecord(given)
            : undefined
      return own ? createFixture(kind, name, { ...toJsonRecord(defaults[kind]), ...own }, context) : []
    }),
  )
  const { bound } = budgets.spec.fixtures
  if (found.length > bound) throw new Error(`it has more than ${bound} fixtures`)
  return found
}

function createFixture(
  kind: FixtureKind,
  name: string,
  options: Readonly<Record<string, unknown>>,
  context: FixtureContext,
): readonly Fixture[] {
  const getText = (key: string) => {
    const value = options[key] ?? undefined
    if (value === undefined || typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    throw new Error(`${key} of '${name}' is not a text`)
  }
  const range = getText('puppet_version')
  if (range !== undefined && !matchesPuppetVersion(range, name)) return []
  if (!isFixtureName(name)) throw new Error(`'${name}' is not the name of a module`)
  const repo = interpolate(getText('repo') ?? '', context)
  const ref = getText('ref') ?? getText('tag')
  const scm = getText('scm')
  if (scm === 'git' && ref?.includes('/'))
    throw new Error(
      `The ref for ${name} is invalid (Contains a forward slash). If this is a branch name, please use the 'branch' setting instead.`,
    )
  const flags = (getText('flags') ?? '').split(/\s/).filter((each) => each !== '')
  const subdir = getText('subdir')
  if (subdir !== undefined && !isInside(subdir))
    throw new Error(`subdir of '${name}' is not a folder in the repository`)
  // An empty target is the root of the machine for puppetlabs_spec_helper.
  const given = Object.hasOwn(options, 'target') ? interpolate(getText('target') ?? '', context) : modulesFolder
  const target = relative(context.folder, resolve(context.folder, given || '/', name))
  if (!isInside(target)) throw new Error(`target of '${name}' is not a folder in the module`)
  return [{ kind, name, repo, target, ref, branch: getText('branch'), scm, subdir, flags }]
}

function matchesPuppetVersion(range: string, name: string): boolean {
  const parsed = SemVerRange.parse(range)
  if (!parsed) throw new Error(`puppet_version of '${name}' is not a range of versions`)
  return parsed.includes(SemVer.parse(puppetVersion)!)
}

function interpolate(text: string, { folder, moduleName }: FixtureContext): string {
  const found = text.replaceAll('#{source_dir}', folder).replaceAll('#{module_name}', moduleName)
  if (found.includes('#{'))
    throw new Error(`Ruby code in '${text}' is not supported, except source_dir and module_name`)
  return found
}

/** True for a path that stays inside its folder. */
function isInside(path: string): boolean {
  const parts = path.split('/')
  return path !== '' && !isAbsolute(path) && !parts.some((part) => part === '..' || part === '.git')
}

/** True for a name of a module. */
export function isFixtureName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name) && name.length <= budgets.module.name.bound
}

/** Folder of a link of fixtures. */
export function resolveFixtureLink({ repo }: Fixture, folder: string): string {
  return isAbsolute(repo) ? repo : join(folder, repo)
}
