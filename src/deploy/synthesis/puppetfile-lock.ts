import { throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { isOid } from '../../code/git/ref-names.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { FetchedModule, LockedModule } from '../modules/fetched-module.ts'
import type { DeclaredModule, Puppetfile } from '../puppetfile/module-declaration.ts'
import { synthesisIssues } from './issues.ts'
import { getPuppetfileLine } from './puppetfile-line.ts'

/** File next to a Puppetfile that records the resolved versions. */
export const lockName = 'Puppetfile.lock'

/** A module in a lock. */
export interface LockEntry extends LockedModule {
  /** Folder of the module in the environment. */
  readonly path: string
  /** Text of the Puppetfile entry; the lock entry is valid only for this text. */
  readonly source: string
  /** Branch of the control repository, if the entry depends on it. */
  readonly branch?: string | undefined
  /** SHA-256 of the archive, for a module from an archive. */
  readonly sha256?: string | undefined
}

/** The resolved modules of a Puppetfile. */
export interface Lock {
  readonly modules: readonly LockEntry[]
}

const version = 1

/** Formats a lock; equal modules give equal text. */
export function formatLock({ modules }: Lock): string {
  const entries = modules.map(({ title, path, source, branch, resolved, sha256, tree }) => ({
    ...{ title, path, source },
    ...(branch !== undefined && { branch }),
    resolved,
    ...(sha256 !== undefined && { sha256 }),
    tree,
  }))
  return `${JSON.stringify({ version, modules: entries }, undefined, 2)}\n`
}

/**
 * Parses a lock; `undefined` for a lock of another tool, such as librarian-puppet. Throws
 * LOCK_UNREADABLE.
 */
export function parseLock(content: string): Lock | undefined {
  if (!content.trimStart().startsWith('{')) return undefined
  try {
    const lock = checkJsonObject(JSON.parse(content), 'the lock')
    if (lock['version'] !== version) throw new Error(`its version is ${String(lock['version'])}, not ${version}`)
    return { modules: checkJsonArray(lock['modules'], 'modules').map(parseLockEntry) }
  } catch (error) {
    return throwIssue(synthesisIssues.LOCK_UNREADABLE, { why: formatErrorReason(error) })
  }
}

function parseLockEntry(value: unknown): LockEntry {
  const { title, path, source, branch, resolved, sha256, tree } = checkJsonObject(value, 'a module')
  const oid = checkJsonString(tree, 'tree')
  return {
    title: checkJsonString(title, 'title'),
    path: checkJsonString(path, 'path'),
    source: checkJsonString(source, 'source'),
    branch: checkOptionalString(branch, 'branch'),
    resolved: checkJsonString(resolved, 'resolved'),
    sha256: checkOptionalString(sha256, 'sha256'),
    tree: isOid(oid) ? oid : throwIssue(synthesisIssues.LOCK_UNREADABLE, { why: 'a tree is not a Git object ID' }),
  }
}

/** Returns a module's source in a Puppetfile as one line, without passwords. */
export function formatModuleSource({ source, excludesSpec }: Pick<DeclaredModule, 'source' | 'excludesSpec'>): string {
  const words = [source.kind, ...listSourceParts(source), ...(excludesSpec ? ['without spec'] : [])]
  return words.join(' ')
}

function listSourceParts(source: DeclaredModule['source']): readonly string[] {
  if (source.kind === 'local') return []
  if (source.kind === 'forge')
    return [source.version, ...(source.forge === undefined ? [] : [`of ${removeUser(source.forge)}`])]
  if (source.kind === 'tarball')
    return [removeUser(source.url), ...(source.sha256 === undefined ? [] : [`sha256 ${source.sha256}`])]
  const { wanted, defaultBranch, otherBranches = [] } = source
  const name = 'name' in wanted ? [wanted.name] : []
  const other = [defaultBranch, ...otherBranches].flatMap((branch) => (branch === undefined ? [] : [`else ${branch}`]))
  return [removeUser(source.url), wanted.kind, ...name, ...other]
}

/** Removes the user from an address, since `https://token@host/x` and `https://host/x` are the same repository. */
function removeUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]{0,30}:\/\/)[^/@]{1,1000}@/i, '$1')
}

/** Returns true if a module may resolve to another version later. */
export function canVersionChange({ source }: Pick<DeclaredModule, 'source'>): boolean {
  if (source.kind === 'git') return source.wanted.kind !== 'commit' && source.wanted.kind !== 'tag'
  if (source.kind === 'forge') return !/^\d+\.\d+\.\d+(?:[-+][-+.\w]*)?$/.test(source.version)
  return source.kind === 'tarball' && source.sha256 === undefined
}

/** Returns the lock entry of a resolved module on a branch. */
export function createLockEntry(
  module: DeclaredModule,
  { resolved, tree, sha256 }: Pick<FetchedModule, 'resolved' | 'tree' | 'sha256'>,
  branch: string,
): LockEntry {
  const { title, path } = module
  return {
    title,
    path,
    source: formatModuleSource(module),
    branch: getFollowedBranch(module, branch),
    resolved,
    sha256,
    tree,
  }
}

/** Returns the branch of the control repository for a module that follows it; otherwise `undefined`. */
function getFollowedBranch({ source }: DeclaredModule, branch: string): string | undefined {
  return source.kind === 'git' && source.wanted.kind === 'control_branch' ? branch : undefined
}

/**
 * Returns the lock entry that is still valid for a module on a branch; `undefined` if the
 * Puppetfile entry differs.
 */
export function findLockEntry(lock: Lock | undefined, module: DeclaredModule, branch: string): LockEntry | undefined {
  const words = formatModuleSource(module)
  return lock?.modules.find(
    (each) =>
      each.title === module.title &&
      each.path === module.path &&
      each.source === words &&
      each.branch === getFollowedBranch(module, branch),
  )
}

/** Throws LOCK_… if a committed lock does not match its Puppetfile. */
export function checkCommittedLock(lock: Lock, { modules }: Puppetfile, content: string): void {
  const fetched = modules.filter(({ source }) => source.kind !== 'local')
  for (const module of fetched) {
    const place = getPuppetfileLine(content, module.line)
    const entry = lock.modules.find(({ title, path }) => title === module.title && path === module.path)
    if (!entry) throwIssue(synthesisIssues.LOCK_LACKS_MODULE, { module: module.title }, place)
    const declared = formatModuleSource(module)
    if (entry.source !== declared)
      throwIssue(synthesisIssues.LOCK_OTHER_MODULE, { module: module.title, locked: entry.source, declared }, place)
  }
  const titles = new Set(fetched.map(({ title }) => title))
  for (const { title } of lock.modules)
    if (!titles.has(title)) throwIssue(synthesisIssues.LOCK_UNNAMED_MODULE, { module: title })
}

/** A module whose resolved version changed; `from` is undefined for a new module, `to` for a removed one. */
export interface LockChange {
  readonly title: string
  readonly path: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Returns the differences between two locks, ordered by path. */
export function compareLocks(before: Lock, after: Lock): readonly LockChange[] {
  const [old, now] = [before, after].map(({ modules }) => new Map(modules.map((each) => [each.path, each])))
  const paths = [...new Set([...old!.keys(), ...now!.keys()])].sort(compareCodeUnits)
  return paths.flatMap((path) => {
    const [one, other] = [old!.get(path), now!.get(path)]
    if (one?.tree === other?.tree && one?.resolved === other?.resolved) return []
    return [{ title: (other ?? one)!.title, path, from: one?.resolved, to: other?.resolved }]
  })
}
