import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { findBlob } from '../../code/git/blob-path.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { checkCommitObjects, findPresentObjects } from '../../code/git/object-writer.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ModuleFetcher } from '../modules/fetched-module.ts'
import type { DeclaredModule, Puppetfile } from '../puppetfile/module-declaration.ts'
import { writeDeployedCommit } from './deployed-commit.ts'
import { synthesisIssues } from './issues.ts'
import { addPuppetfileLine, getPuppetfileLine, puppetfileName } from './puppetfile-line.ts'
import {
  canVersionChange,
  checkCommittedLock,
  createLockEntry,
  findLockEntry,
  type Lock,
  type LockEntry,
  lockName,
  parseLock,
} from './puppetfile-lock.ts'

/** A repository, and the fetcher for modules of its Puppetfiles. */
export interface DeployParts {
  readonly source: GitObjectSource
  /** The repository `source`, for writing. */
  readonly place: GitPlace
  readonly fetcher: ModuleFetcher
  /** Naming of environments; by default after their branches. */
  readonly naming?: BranchNaming | undefined
  /**
   * Returns the source branch of an environment in this repository; `undefined` if it has the same
   * name here.
   */
  readonly sourceBranch?: ((environment: string) => string | undefined) | undefined
  /** Reads a Puppetfile of a branch. Throws errors in the Puppetfile, with the line. */
  read(content: Uint8Array, of: Pick<DeployOrder, 'branch' | 'environment' | 'commit'>): Promise<Puppetfile>
}

/** The resolved modules of an earlier deployment. */
export interface KnownResolution {
  /** The branch's commit that contained the Puppetfile. */
  readonly source: string
  readonly lock: Lock
}

/** A commit with a Puppetfile, and options for resolving its modules. */
export interface DeployOrder {
  readonly commit: string
  /** Branch of the control repository. */
  readonly branch: string
  readonly environment: string
  /** Modules resolved by an earlier deployment. They are reused unless `anew` selects them. */
  readonly known?: KnownResolution | undefined
  /** Modules to resolve again: modules whose versions may change, all modules, or modules with these names. */
  readonly anew?: 'moving' | 'all' | ReadonlySet<string> | undefined
  /** A time of `performance.now()`; a host that was queried later than this is not queried again. */
  readonly freshSince?: number | undefined
  /** True to ignore a committed Puppetfile.lock. */
  readonly withoutLock?: boolean
  /** Called after each fetched module. */
  progress?(done: number, of: number): void
  readonly signal?: AbortSignal | undefined
}

/** The modules of a Puppetfile, resolved. */
export interface ResolvedModules {
  readonly lock: Lock
  readonly puppetfile: Puppetfile
  /** Text of the Puppetfile. */
  readonly content: string
  /** True if the branch has a Puppetfile.lock that is used. */
  readonly isLocked: boolean
}

/** Returns true if the commit has a Puppetfile. */
export async function hasPuppetfile(source: GitObjectSource, commit: string): Promise<boolean> {
  return (await findBlob(source, commit, puppetfileName)) !== undefined
}

/**
 * Returns a commit with a branch's files and the modules of its Puppetfile; the same commit if there are no modules to
 * add. Does not write a ref. Throws errors in the Puppetfile, the lock, or a module, with the line of the Puppetfile.
 */
export async function deployCommit(parts: DeployParts, order: DeployOrder): Promise<string> {
  const unchanged = await findUnchangedLock(parts, order)
  const resolved = unchanged ? undefined : await resolveModules(parts, order)
  const lock = unchanged ?? resolved?.lock
  if (!lock || lock.modules.length === 0) return order.commit
  const deployed = await writeDeployedCommit(parts.place, order.commit, lock, resolved && createLineFinder(resolved))
  await checkCommitObjects(parts.place, deployed, [order.commit])
  return deployed
}

/** Returns a function that finds the line of a module by its path. */
function createLineFinder({
  puppetfile: { modules },
  content,
}: ResolvedModules): (path: string) => SourceSpan | undefined {
  return (path) => {
    const module = modules.find((each) => each.path === path)
    return module && getPuppetfileLine(content, module.line)
  }
}

/**
 * Returns the known lock of an identical Puppetfile, which then need not be evaluated; `undefined`
 * if anything has changed.
 */
async function findUnchangedLock(
  { source, place }: DeployParts,
  { commit, branch, known, anew, withoutLock }: DeployOrder,
): Promise<Lock | undefined> {
  if (!known || anew || withoutLock) return undefined
  for (const name of [puppetfileName, lockName])
    if ((await findBlob(source, commit, name)) !== (await findBlob(source, known.source, name))) return undefined
  const { modules } = known.lock
  if (modules.some((each) => each.branch !== undefined && each.branch !== branch)) return undefined
  const trees = modules.map(({ tree }) => tree)
  return (await findPresentObjects(place, trees)).size === new Set(trees).size ? known.lock : undefined
}

/**
 * Fetches the modules of a commit's Puppetfile; `undefined` if the commit has no Puppetfile. Throws the errors of
 * `deployCommit`.
 */
export async function resolveModules(parts: DeployParts, order: DeployOrder): Promise<ResolvedModules | undefined> {
  const { source, place, fetcher } = parts
  const bytes = await readFileBytes(source, order.commit, puppetfileName)
  if (bytes === undefined) return undefined
  const puppetfile = await parts.read(bytes, order)
  const content = bytes.toString('utf8')
  const lock = order.withoutLock ? undefined : await readCommittedLock(source, order.commit)
  if (lock) checkCommittedLock(lock, puppetfile, content)
  checkModuleNames(order.anew, puppetfile)
  const fetched = puppetfile.modules.filter(({ source: { kind } }) => kind !== 'local')
  const findReusableEntry = (module: DeclaredModule) =>
    findLockEntry(lock, module, order.branch) ?? findEarlierEntry(module, order)
  const present = await findPresentObjects(
    place,
    fetched.flatMap((module) => findReusableEntry(module)?.tree ?? []),
  )
  let done = 0
  const resolveEntry = async (module: DeclaredModule): Promise<LockEntry> => {
    try {
      const known = findReusableEntry(module)
      if (known && present.has(known.tree)) return known
      return await fetchEntry(fetcher, module, { order, locked: lock && known })
    } catch (error) {
      throw addPuppetfileLine(error, content, module.line)
    } finally {
      order.progress?.(++done, fetched.length)
    }
  }
  const modules = await resolveEntries(fetched, resolveEntry)
  order.signal?.throwIfAborted()
  return { puppetfile, content, lock: { modules }, isLocked: lock !== undefined }
}

/**
 * Returns the entries of all modules. Throws the error of a failed module, or an AggregateError for several failed
 * modules.
 */
async function resolveEntries(
  modules: readonly DeclaredModule[],
  entryOf: (module: DeclaredModule) => Promise<LockEntry>,
): Promise<readonly LockEntry[]> {
  const errors: unknown[] = []
  const entries = await mapConcurrently(modules, budgets.module.atOnce.bound, (module) =>
    entryOf(module).catch((error: unknown) => void errors.push(error)),
  )
  const [first, ...more] = errors
  if (more.length > 0) throw new AggregateError(errors, `${formatError(first)} (and ${more.length} more)`)
  if (errors.length > 0) throw first
  return entries.filter((entry) => entry !== undefined)
}

/** Returns a module's entry in an earlier deployment; `undefined` if the module has to be resolved again. */
function findEarlierEntry(module: DeclaredModule, { known, anew, branch }: DeployOrder): LockEntry | undefined {
  const isAnew =
    typeof anew === 'object' ? hasModuleName(module, anew) : anew === 'all' || (anew && canVersionChange(module))
  return isAnew ? undefined : findLockEntry(known?.lock, module, branch)
}

/** Returns true if a module's title or name is among the names. */
function hasModuleName({ title, name, owner }: DeclaredModule, names: ReadonlySet<string>): boolean {
  return [title, name, `${owner}/${name}`, `${owner}-${name}`].some((each) => names.has(each))
}

/** Throws UNKNOWN_MODULES for names without a module. */
function checkModuleNames(anew: DeployOrder['anew'], { modules }: Puppetfile): void {
  if (typeof anew !== 'object') return
  const names = [...anew].filter((name) => !modules.some((module) => hasModuleName(module, new Set([name]))))
  if (names.length > 0) throwIssue(synthesisIssues.UNKNOWN_MODULES, { names })
}

interface FetchedBy {
  readonly order: DeployOrder
  readonly locked: LockEntry | undefined
}

async function fetchEntry(
  fetcher: ModuleFetcher,
  module: DeclaredModule,
  { order: { branch, commit, freshSince, signal }, locked }: FetchedBy,
): Promise<LockEntry> {
  signal?.throwIfAborted()
  const { tree, resolved, sha256 } = await fetcher.fetch(module, { branch, commit, locked, freshSince, signal })
  if (locked && locked.tree !== tree)
    throwIssue(synthesisIssues.LOCK_OTHER_TREE, { module: module.title, locked: locked.tree, tree })
  return createLockEntry(module, { resolved, tree, sha256 }, branch)
}

/**
 * Reads the Puppetfile.lock of a commit; `undefined` if the file is missing or another tool wrote it. Throws
 * LOCK_UNREADABLE.
 */
export async function readCommittedLock(source: GitObjectSource, commit: string): Promise<Lock | undefined> {
  const bytes = await readFileBytes(source, commit, lockName)
  return bytes && parseLock(bytes.toString('utf8'))
}

async function readFileBytes(source: GitObjectSource, commit: string, path: string): Promise<Buffer | undefined> {
  const oid = await findBlob(source, commit, path)
  if (oid === undefined) return undefined
  return source.readBlob(oid, { maxBytes: budgets.module.puppetfile.bound })
}
