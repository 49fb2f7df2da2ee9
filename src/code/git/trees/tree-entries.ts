import { throwIssue } from '../../../base/issue.ts'
import type { GitChild, GitTreeEntry } from '../git-object-source.ts'
import { gitIssues } from '../issues.ts'
import { isOid } from '../ref-names.ts'

/** A line of `git ls-tree -r -t -z -l`. */
export interface TreeLine {
  /** Undefined for a folder. */
  readonly entry: GitTreeEntry | undefined
  readonly path: string
  readonly oid: string
}

/**
 * Parses `<mode> <type> <oid> <size>\t<path>`. The size is `-` for a submodule, and `BAD` for a
 * missing blob. Throws GIT_UNREADABLE.
 */
export function parseTreeLine(line: string): TreeLine {
  const tab = line.indexOf('\t')
  const [mode = '', type, oid = '', size = ''] = line.slice(0, Math.max(0, tab)).split(/ +/)
  const path = line.slice(tab + 1)
  if (!/^[0-7]{6}$/.test(mode) || !isOid(oid) || path === '')
    throwIssue(gitIssues.GIT_UNREADABLE, { what: 'a tree listing' })
  if (type === 'tree') return { path, oid, entry: undefined }
  const plain = normalizeMode(mode) as GitTreeEntry['mode']
  return { path, oid, entry: { path, mode: plain, oid, size: /^\d+$/.test(size) ? Number(size) : undefined } }
}

/**
 * Finds an entry by name in a raw tree object, which repeats `<mode> <name>\0<id in bytes>`. Other
 * entries are skipped without decoding, since a tree may have a hundred thousand entries. Throws
 * GIT_UNREADABLE.
 */
export function findTreeEntry(content: Buffer, wanted: string, idBytes: number): GitChild | undefined {
  const name = Buffer.from(wanted)
  for (let start = 0; start < content.length; ) {
    const space = content.indexOf(0x20, start)
    const end = space === -1 ? -1 : content.indexOf(0, space)
    const next = end + 1 + idBytes
    if (end <= space + 1 || next > content.length || space - start > maxModeDigits)
      throwIssue(gitIssues.GIT_UNREADABLE, { what: 'a tree' })
    if (end - space - 1 === name.length && name.equals(content.subarray(space + 1, end)))
      return {
        mode: normalizeMode(content.toString('latin1', start, space)),
        oid: content.toString('hex', end + 1, next),
      }
    start = next
  }
  return undefined
}

const maxModeDigits = 6

/** Normalizes a mode as git does (tree-walk.c, canon_mode): old trees contain modes such as `100664`. */
export function normalizeMode(mode: string): GitChild['mode'] {
  const bits = Number.parseInt(mode, 8)
  switch (bits & 0o170000) {
    case 0o040000:
      return '040000'
    case 0o120000:
      return '120000'
    case 0o100000:
      return (bits & 0o100) === 0 ? '100644' : '100755'
    default:
      return '160000'
  }
}
