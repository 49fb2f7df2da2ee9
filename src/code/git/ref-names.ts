import { throwIssue } from '../../base/issue.ts'
import { gitIssues } from './issues.ts'

/**
 * Returns true for a ref name that is safe to pass to git: it follows the rules of
 * git-check-ref-format, is a single line, and cannot be mistaken for an option.
 */
export function isSafeRef(ref: string): boolean {
  return /^(?!-)[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) && !ref.includes('..') && !ref.includes('@{')
}

/**
 * A ref, and the way from there to an ancestor: `production~2` follows the first parent twice,
 * `HEAD^2` the second parent.
 */
export interface Revision {
  readonly ref: string
  /** For each generation, the number of the parent to follow. */
  readonly parents: readonly number[]
}

/** Largest number of characters in a revision: a ref is also the path of a file. */
const maxRevisionLength = 4096
/** Largest number of generations in a revision: each generation requires reading one object. */
const maxGenerations = 10_000

/** Parses a revision; `undefined` if it is not safe to pass to git. */
export function parseRevision(text: string): Revision | undefined {
  const [, ref = '', way = ''] = /^([^~^]*)((?:~\d{0,4}|\^\d{0,2})*)$/.exec(text) ?? []
  if (!isSafeRef(ref) || text.length > maxRevisionLength) return undefined
  const parents: number[] = []
  for (const [, kind, digits] of way.matchAll(/([~^])(\d*)/g)) {
    const number = digits === '' ? 1 : Number(digits)
    if (kind === '~') parents.push(...Array<number>(number).fill(1))
    else if (number > 0) parents.push(number)
    if (parents.length > maxGenerations) return undefined
  }
  return { ref, parents }
}

/** Returns true for a full object id, SHA-1 or SHA-256. */
export function isOid(oid: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)
}

/** Returns the id unchanged. Throws GIT_BAD_OID if the text is not an object id. */
export function checkOid(oid: string): string {
  return isOid(oid) ? oid : throwIssue(gitIssues.GIT_BAD_OID, { oid })
}

/** Returns the ref that protects a commit from pruning. */
export function formatPinRef(commit: string): string {
  return `${pinPrefix}${checkOid(commit)}`
}

/** Prefix of the server's internal refs. */
export const hiddenPrefix = 'refs/plumb'

/** Prefix of the refs that protect served commits; hidden from clients. */
export const pinPrefix = 'refs/plumb/served/'

/** Prefix of the refs that record the last commit of each environment; hidden from clients. */
export const lastServedPrefix = 'refs/plumb/environment/'

/** Returns the ref that records the last commit of an environment. */
export function formatLastServedRef(environment: string): string {
  return `${lastServedPrefix}${environment}`
}

/** Prefix of the refs of deployed commits (with modules) by environment; hidden from clients. */
export const deployedPrefix = 'refs/plumb/deployed/'

/** Returns the ref of an environment's deployed commit. */
export function formatDeployedRef(environment: string): string {
  return `${deployedPrefix}${environment}`
}

/**
 * Returns the reason for rejecting a change of a ref; `undefined` for an ordinary branch or tag.
 * `refs/replace/` would change the content of commits for every reader; `refs/notes/`, `refs/stash`
 * and others would change git's output; names such as `HEAD` or a commit id would make a revision
 * ambiguous.
 */
export function findRefProblem(ref: string): string | undefined {
  if (isInternalRef(ref)) return 'reserved for the server'
  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined) return 'only branches and tags can be pushed'
  if (/^(?:[A-Za-z]+_)?HEAD$/i.test(name) || name === '@') return `a branch or tag cannot be named ${name}`
  if (isOid(name.toLowerCase())) return 'a branch or tag name cannot be a commit ID'
  const [start] = /^(?:-|refs\/)/.exec(name) ?? []
  if (start !== undefined) return `a branch or tag name cannot begin with ${start}`
  return undefined
}

/** Returns true for an internal ref of the server. */
export function isInternalRef(ref: string): boolean {
  return ref === hiddenPrefix || ref.startsWith(`${hiddenPrefix}/`)
}
