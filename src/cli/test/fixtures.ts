import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { mkdir, realpath, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import { runGit } from '../../code/git/git-command.ts'
import { openSourceStore } from '../../code/git/remotes/source-store.ts'
import { resolveTree } from '../../deploy/modules/archive-tree.ts'
import type { FetchedModule } from '../../deploy/modules/fetched-module.ts'
import { type OpenModuleFetcher, openModuleFetcher } from '../../deploy/modules/module-fetcher.ts'
import { exportTree } from '../../deploy/modules/tree-export.ts'
import { type ModuleSources, readModuleSources } from '../../deploy/puppetfile/allowed-sources.ts'
import type { PuppetfileDeclaration, PuppetfileValue } from '../../deploy/puppetfile/declarations.ts'
import type { DeclaredModule } from '../../deploy/puppetfile/module-declaration.ts'
import { buildPuppetfile, throwErrors } from '../../deploy/puppetfile/puppetfile-modules.ts'
import { defaultModuleSources } from '../../machine/settings/definitions/modules.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { type Fixture, readFixturesFile } from '../../workbench/spec/fixtures-file.ts'
import { readModuleName } from '../../workbench/spec/module-fixtures.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { type LockedFixture, readFixturesLock, writeFixturesLock } from './fixtures-lock.ts'

const issues = defineIssues({
  FIXTURE_MISMATCH: {
    text: (a: { name: string; locked: string; found: string }) =>
      `The fixture ${a.name} has the tree ${a.found} instead of ${a.locked} in .fixtures.lock`,
    hint: () =>
      "The module was replaced at its source. Review it, then run 'plumb test --update-fixtures' to accept the new content.",
  },
  FIXTURES_OFFLINE: {
    text: (a: { names: readonly string[] }) => `Fixtures are not in the cache: ${a.names.join(', ')}`,
    hint: () => "Run 'plumb test' once without --offline.",
  },
  FIXTURE_SCM: {
    text: (a: { name: string; scm: string }) => `The fixture ${a.name} needs '${a.scm}', which is not supported`,
    hint: () => 'Use a Git repository, or put the module into spec/fixtures/modules.',
  },
  FIXTURE_SUBDIR: {
    text: (a: { name: string; subdir: string }) =>
      `The repository of the fixture ${a.name} has no folder '${a.subdir}'`,
    hint: () => 'Correct subdir in .fixtures.yml.',
  },
  FIXTURE_PARENT: {
    text: (a: { folder: string }) => `${a.folder} leads out of the module`,
    hint: () => 'Replace the symbolic link by a folder.',
  },
})

/** Options of the preparation of fixtures. */
export interface FixtureOptions {
  /** True to resolve all versions again. */
  readonly isUpdated: boolean
  /** True to use only the cache. */
  readonly isOffline: boolean
  /** Folders with modules that need no fixture. */
  readonly modulepath: readonly string[]
}

/** Folder of all data of `plumb test`. */
export function getTestCache({ vardir }: Pick<Settings, 'vardir'>): string {
  return join(vardir, 'test')
}

/**
 * Fetches the missing fixtures of a module into the cache, links them, and records their exact versions in
 * .fixtures.lock. Fixtures that others have put in place are not changed. If one cannot be fetched, nothing is changed.
 */
export async function prepareFixtures(
  folder: string,
  { isUpdated, isOffline, modulepath }: FixtureOptions,
  settings: Settings,
  io: Io,
): Promise<void> {
  const { file, text, fixtures: all } = readFixturesFile(folder, readModuleName(folder))
  if (file === undefined) return
  const trees = join(getTestCache(settings), 'trees')
  const fixtures = all.filter(
    ({ kind, name, target }) =>
      kind !== 'symlinks' &&
      !modulepath.some((path) => existsSync(join(path, name))) &&
      isReplaceable(join(folder, target), trees),
  )
  if (fixtures.length === 0) return
  const lockFile = join(dirname(file), '.fixtures.lock')
  const locked = isUpdated ? new Map<string, LockedFixture>() : readFixturesLock(lockFile)
  const getLocked = (fixture: Fixture) => {
    const entry = locked.get(fixture.name)
    return entry?.source === formatFixtureSource(fixture) ? entry : undefined
  }
  const missing = fixtures.filter((each) => {
    const entry = getLocked(each)
    return entry === undefined || !existsSync(join(trees, entry.tree))
  })
  if (missing.length > 0 && isOffline) throwIssue(issues.FIXTURES_OFFLINE, { names: missing.map(({ name }) => name) })
  const source = { file: basename(file), text }
  const fetched = missing.length > 0 ? await fetchFixtures(missing, { source, trees, getLocked, settings, io }) : []
  const found = fixtures.map((each) => fetched.find(({ name }) => name === each.name) ?? getLocked(each)!)
  for (const { target } of fixtures) await checkParent(folder, join(folder, target))
  if (fetched.length > 0 || found.length !== locked.size) await writeFixturesLock(lockFile, found)
  for (const [at, { target }] of fixtures.entries())
    await linkFixture(join(trees, found[at]!.tree), join(folder, target))
}

/** True if nothing is at the path, or a link into the cache of fixtures. */
function isReplaceable(path: string, trees: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return !found || (found.isSymbolicLink() && dirname(resolve(dirname(path), readlinkSync(path))) === trees)
}

/** Creates the folder of a fixture. Throws FIXTURE_PARENT if a link leads out of the module. */
async function checkParent(folder: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const [root, parent] = await Promise.all([realpath(folder), realpath(dirname(path))])
  if (!parent.startsWith(`${root}/`)) throwIssue(issues.FIXTURE_PARENT, { folder: dirname(path) })
}

async function linkFixture(tree: string, path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) && readlinkSync(path) === tree) return
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await symlink(tree, beside)
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

/** The declaration of a fixture, without its place. */
function formatFixtureSource({ kind, repo, ref, branch, subdir, flags }: Fixture): string {
  return JSON.stringify([kind, repo, ref ?? null, branch ?? null, subdir ?? null, flags])
}

interface Fetching {
  readonly source: Source
  readonly trees: string
  getLocked(fixture: Fixture): LockedFixture | undefined
  readonly settings: Settings
  readonly io: Io
}

async function fetchFixtures(fixtures: readonly Fixture[], fetching: Fetching): Promise<readonly LockedFixture[]> {
  const { source, io } = fetching
  const settings = allowPublicHosts(fetching.settings)
  const sources = readModuleSources(settings.puppetfile_sources)
  const modules = fixtures.map((fixture) => declareFixture(fixture, source, sources, io))
  const place = await openSourceStore(join(getTestCache(settings), 'modules.git'), 'main')
  const fetcher = openModuleFetcher(place, settings)
  try {
    let done = 0
    const results = await Promise.allSettled(
      fixtures.map(async (fixture, at) => {
        const found = await fetchFixture(fixture, modules[at]!, fetcher, fetching)
        io.err(`Fetched ${fixture.name} ${found.resolved} (${++done}/${fixtures.length})\n`)
        return found
      }),
    )
    throwErrors(results.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])))
    return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  } finally {
    await fetcher.close()
  }
}

/**
 * Allows fixtures from every public host, unless `puppetfile_sources` is set: the suite of the author runs with the
 * same permissions as the modules that it names.
 */
export function allowPublicHosts(settings: Settings): Settings {
  const { puppetfile_sources: sources } = settings
  const isDefault = sources.length === 1 && sources[0] === defaultModuleSources
  return isDefault ? { ...settings, puppetfile_sources: [...sources, 'https://', 'ssh://'] } : settings
}

async function fetchFixture(
  fixture: Fixture,
  module: DeclaredModule,
  fetcher: OpenModuleFetcher,
  { getLocked, trees }: Fetching,
): Promise<LockedFixture> {
  const { name } = fixture
  const entry = getLocked(fixture)
  const locked = entry && { title: module.title, resolved: entry.resolved, tree: entry.tree }
  const { resolved, sha256, tree: whole } = await fetcher.fetch(module, { branch: '', locked })
  const tree = await selectSubdir(fixture, whole, fetcher)
  if (entry && entry.tree !== tree) throwIssue(issues.FIXTURE_MISMATCH, { name, locked: entry.tree, found: tree })
  await exportTree(fetcher.place, tree, join(trees, tree))
  return { name, source: formatFixtureSource(fixture), resolved, tree, ...(sha256 !== undefined && { sha256 }) }
}

async function selectSubdir(
  { name, subdir }: Fixture,
  tree: FetchedModule['tree'],
  { place }: OpenModuleFetcher,
): Promise<string> {
  if (subdir === undefined) return tree
  const words = [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${tree}:${subdir.split('/').filter(Boolean).join('/')}`,
  ]
  try {
    return await resolveTree(place, (await runGit(place, words)).toString().trim())
  } catch {
    return throwIssue(issues.FIXTURE_SUBDIR, { name, subdir })
  }
}

/** Validates a fixture like a module of a Puppetfile. Throws PUPPETFILE_…, FIXTURE_SCM. */
function declareFixture(fixture: Fixture, source: Source, sources: ModuleSources, io: Io): DeclaredModule {
  const { kind, name, repo, ref, branch, scm = 'git', flags } = fixture
  const isGit = kind === 'repositories'
  if (isGit && scm !== 'git') throwIssue(issues.FIXTURE_SCM, { name, scm })
  const line = 1 + source.text.split('\n').findIndex((each) => each.trimStart().replace(/^["']/, '').startsWith(name))
  const forge = isGit ? undefined : findForge(flags)
  const unused = flags.filter((flag, at) => !(isForgeFlag(flag) || (at > 0 && flags[at - 1] === '--module_repository')))
  if (isGit ? flags.length > 0 : unused.length > 0)
    printMessage('Warning', `Flags of the fixture ${name} are ignored: ${(isGit ? flags : unused).join(' ')}`, io)
  const options = new Map<string, PuppetfileValue>(
    isGit
      ? [['git', repo], ref !== undefined || branch === undefined ? ['ref', ref ?? 'HEAD'] : ['branch', branch]]
      : [['type', 'forge'], ...(ref === undefined ? [] : ([['version', ref]] as const))],
  )
  const declarations: readonly PuppetfileDeclaration[] = [
    ...(forge === undefined ? [] : [{ word: 'forge' as const, line: Math.max(line, 1), given: forge }]),
    { word: 'mod', line: Math.max(line, 1), title: isGit ? name : repo, given: { options } },
  ]
  const context = { source, sources, root: '/', present: undefined }
  return buildPuppetfile(declarations, context).modules[0]!
}

function isForgeFlag(flag: string): boolean {
  return flag === '--module_repository' || flag.startsWith('--module_repository=')
}

/** The Forge in the flags of `puppet module install`. */
function findForge(flags: readonly string[]): string | undefined {
  const at = flags.findIndex(isForgeFlag)
  if (at === -1) return undefined
  return flags[at]!.includes('=') ? flags[at]!.slice(flags[at]!.indexOf('=') + 1) : flags[at + 1]
}
