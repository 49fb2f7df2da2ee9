import { fail } from '../../base/issue.ts'
import { gitIssues } from './issues.ts'

/** True of a name that may be asked of git: git-check-ref-format's rules, and never an option or a second line. */
export function isSafeRef(ref: string): boolean {
  return /^(?!-)[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) && !ref.includes('..') && !ref.includes('@{')
}

/** A commit by a ref and a way from it: `production~2` has the first parent twice, `HEAD^2` the second parent. */
export interface Revision {
  readonly ref: string
  /** The number of each parent on the way. */
  readonly parents: readonly number[]
}

/** Characters of a revision: a ref is the path of a file. */
const maxRevisionLength = 4096
/** Generations that a revision may lead back: each is an object to be read. */
const maxGenerations = 10_000

/** Reads what may name a commit; `undefined` for what must not be asked of git. */
export function revisionOf(text: string): Revision | undefined {
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

/** True of the full id of an object, SHA-1 or SHA-256. */
export function isOid(oid: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)
}

/** The id itself. Throws GIT_BAD_OID for anything else. */
export function checkedOid(oid: string): string {
  return isOid(oid) ? oid : fail(gitIssues.GIT_BAD_OID, { oid })
}

/** The ref that keeps a commit from being pruned. */
export function pinRef(commit: string): string {
  return `${pinPrefix}${checkedOid(commit)}`
}

/** Refs that the server keeps for itself. */
export const hiddenPrefix = 'refs/plumb'

/** Refs that keep served commits; hidden from clients. */
export const pinPrefix = 'refs/plumb/served/'

/** Refs that say what each environment had last, by its name; hidden from clients. */
export const lastServedPrefix = 'refs/plumb/environment/'

/** The ref of the commit that an environment had last. */
export function lastServedRef(environment: string): string {
  return `${lastServedPrefix}${environment}`
}

/** Refs of the commits that environments were deployed as, modules and all, by the name; hidden from clients. */
export const deployedPrefix = 'refs/plumb/deployed/'

/** The ref of the commit that an environment was deployed as. */
export function deployedRef(environment: string): string {
  return `${deployedPrefix}${environment}`
}

/**
 * The reason why a ref must not be created or moved; `undefined` for an ordinary branch or tag. `refs/replace/` changes
 * the content of commits for every reader, `refs/notes/`, `refs/stash` and others change the output of git about them, and
 * names such as `HEAD` or the id of a commit make a revision ambiguous.
 */
export function refusalOfRef(ref: string): string | undefined {
  if (isHidden(ref)) return 'kept by the server for itself'
  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined) return 'only branches and tags can be pushed'
  if (/^(?:[A-Za-z]+_)?HEAD$/i.test(name) || name === '@') return `a branch or tag cannot be named ${name}`
  if (isOid(name.toLowerCase())) return 'the name of a branch or tag cannot be the id of a commit'
  const [start] = /^(?:-|refs\/)/.exec(name) ?? []
  if (start !== undefined) return `the name of a branch or tag cannot begin with ${start}`
  return undefined
}

/** True for a ref that belongs to the server. */
export function isHidden(ref: string): boolean {
  return ref === hiddenPrefix || ref.startsWith(`${hiddenPrefix}/`)
}
