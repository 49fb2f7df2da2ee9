import { fail } from '../../base/issue.ts'
import { type GitPlace, git } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { checkedOid, isOid } from './names.ts'

/** An entry of a folder, its name byte by byte as Latin-1: git's names need be no UTF-8. */
export interface FolderEntry {
  readonly mode: string
  readonly type: string
  readonly oid: string
  readonly name: string
}

/** Options for git to have all on the disk before a ref names it: a crash of the machine takes nothing back. */
const durably = ['-c', 'core.fsync=committed,loose-object']

/** The entries of one folder, by its id or by a commit's. Throws GIT_FAILED. */
export async function readFolder(place: GitPlace, oid: string): Promise<readonly FolderEntry[]> {
  const output = await git(place, ['ls-tree', '-z', '--full-tree', checkedOid(oid)])
  return output
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '')
    .map(entryOf)
}

function entryOf(line: string): FolderEntry {
  const [, mode, type, oid, name] = /^(\d{6}) (\w+) ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
  if (mode === undefined || type === undefined || oid === undefined || name === undefined)
    return fail(gitIssues.GIT_UNREADABLE, { what: 'an entry of a tree' })
  return { mode, type, oid, name }
}

/** Writes a folder and answers its id. Throws GIT_FAILED, also for an entry that the repository does not have. */
export async function writeFolder(place: GitPlace, entries: readonly FolderEntry[]): Promise<string> {
  const lines = entries.map(({ mode, type, oid, name }) => `${mode} ${type} ${oid}\t${name}\0`)
  return oidIn(await git(place, [...durably, 'mktree', '-z'], Buffer.from(lines.join(''), 'latin1')))
}

/** Writes an object and answers its id. Throws GIT_FAILED, also for a commit that is none. */
export async function writeObject(
  place: GitPlace,
  type: 'blob' | 'commit',
  content: string | Uint8Array,
): Promise<string> {
  return oidIn(await git(place, [...durably, 'hash-object', '-t', type, '-w', '--stdin'], content))
}

/**
 * Lets a ref stand for a commit, if it still stands for what it did; `undefined` for a ref that is not there.
 * Throws GIT_FAILED.
 */
export async function moveRef(
  place: GitPlace,
  ref: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<void> {
  if (to === undefined) await git(place, ['update-ref', '-d', ref, ...(from === undefined ? [] : [checkedOid(from)])])
  else await git(place, [...durably, 'update-ref', ref, checkedOid(to), from ?? '0'.repeat(to.length)])
}

/** Proves that all objects of a commit are there which older ones do not have. Throws GIT_FAILED. */
export async function proveWhole(place: GitPlace, commit: string, known: readonly string[]): Promise<void> {
  const words = [commit, ...known.map((each) => `^${checkedOid(each)}`)].join('\n')
  await git(place, ['rev-list', '--objects', '--quiet', '--stdin'], `${words}\n`)
}

/** Those of some objects that the repository has. */
export async function presentObjects(place: GitPlace, oids: readonly string[]): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set()
  const answer = await git(place, ['cat-file', '--batch-check'], `${oids.map(checkedOid).join('\n')}\n`)
  const lines = answer.toString().split('\n')
  return new Set(oids.filter((_, index) => lines[index]?.endsWith(' missing') === false))
}

function oidIn(output: Buffer): string {
  const oid = output.toString().trim()
  return isOid(oid) ? oid : fail(gitIssues.GIT_UNREADABLE, { what: 'an id' })
}
