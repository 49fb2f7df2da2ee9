import { throwIssue } from '../../base/issue.ts'
import { type GitPlace, runGit } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { checkOid, isOid } from './ref-names.ts'

/** An entry of a folder. The name is decoded as Latin-1, since names in git need not be UTF-8. */
export interface FolderEntry {
  readonly mode: string
  readonly type: string
  readonly oid: string
  readonly name: string
}

/**
 * Options that make git sync objects to disk before a ref points to them, so that the objects
 * survive a crash of the machine.
 */
const durably = ['-c', 'core.fsync=committed,loose-object']

/**
 * Returns the entries of one folder. The folder is identified by its id, or by the id of a commit.
 * Throws GIT_FAILED.
 */
export async function readFolder(place: GitPlace, oid: string): Promise<readonly FolderEntry[]> {
  const output = await runGit(place, ['ls-tree', '-z', '--full-tree', checkOid(oid)])
  return output
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '')
    .map(parseFolderEntry)
}

function parseFolderEntry(line: string): FolderEntry {
  const [, mode, type, oid, name] = /^(\d{6}) (\w+) ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
  if (mode === undefined || type === undefined || oid === undefined || name === undefined)
    return throwIssue(gitIssues.GIT_UNREADABLE, { what: 'a tree entry' })
  return { mode, type, oid, name }
}

/** Writes a folder and returns its id. Throws GIT_FAILED, also if an object of an entry is missing. */
export async function writeFolder(place: GitPlace, entries: readonly FolderEntry[]): Promise<string> {
  const lines = entries.map(({ mode, type, oid, name }) => `${mode} ${type} ${oid}\t${name}\0`)
  return parseOid(await runGit(place, [...durably, 'mktree', '-z'], Buffer.from(lines.join(''), 'latin1')))
}

/** Writes an object and returns its id. Throws GIT_FAILED, also for an invalid commit. */
export async function writeObject(
  place: GitPlace,
  type: 'blob' | 'commit',
  content: string | Uint8Array,
): Promise<string> {
  return parseOid(await runGit(place, [...durably, 'hash-object', '-t', type, '-w', '--stdin'], content))
}

/**
 * Sets a ref to a commit if the ref has the expected old value; `undefined` means that the ref must
 * not exist. Throws GIT_FAILED.
 */
export async function moveRef(
  place: GitPlace,
  ref: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<void> {
  if (to === undefined) await runGit(place, ['update-ref', '-d', ref, ...(from === undefined ? [] : [checkOid(from)])])
  else await runGit(place, [...durably, 'update-ref', ref, checkOid(to), from ?? '0'.repeat(to.length)])
}

/**
 * Checks that all objects of a commit exist, except objects of older commits that are already
 * known. Throws GIT_FAILED.
 */
export async function checkCommitObjects(place: GitPlace, commit: string, known: readonly string[]): Promise<void> {
  const words = [commit, ...known.map((each) => `^${checkOid(each)}`)].join('\n')
  await runGit(place, ['rev-list', '--objects', '--quiet', '--stdin'], `${words}\n`)
}

/** Returns those of the given objects that exist in the repository. */
export async function findPresentObjects(place: GitPlace, oids: readonly string[]): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set()
  const answer = await runGit(place, ['cat-file', '--batch-check'], `${oids.map(checkOid).join('\n')}\n`)
  const lines = answer.toString().split('\n')
  return new Set(oids.filter((_, index) => lines[index]?.endsWith(' missing') === false))
}

function parseOid(output: Buffer): string {
  const oid = output.toString().trim()
  return isOid(oid) ? oid : throwIssue(gitIssues.GIT_UNREADABLE, { what: 'an object ID' })
}
