import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { type GitPlace, openGitOutput } from './git-command.ts'
import type { GitTreeEntry, ListTreeOptions } from './git-object-source.ts'
import { parseTreeLine } from './tree-entries.ts'
import { TreeMeter, usualLimits } from './tree-limits.ts'

/** Largest number of bytes of a line before its path: mode, type, id and size. */
const maxHeadBytes = 200

/** Lists the files of a commit; stops at the limits. Throws GIT_TREE_TOO_LARGE. */
export async function listTree(
  place: GitPlace,
  commit: string,
  { limits = usualLimits, signal }: ListTreeOptions,
): Promise<readonly GitTreeEntry[]> {
  const entries: GitTreeEntry[] = []
  const meter = new TreeMeter(commit, limits)
  // Git prints the folders, too, so that they are counted: a tree of empty folders has no files but
  // takes very long to list.
  const output = await openGitOutput(place, ['ls-tree', '-r', '-t', '-z', '-l', '--full-tree', commit], { signal })
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of output) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(0, start); end !== -1; end = bytes.indexOf(0, start)) {
      const { path, entry } = parseTreeLine(decodeLosslessUtf8(bytes.subarray(start, end)))
      start = end + 1
      meter.count(path)
      if (entry) entries.push(entry)
    }
    rest = bytes.subarray(start)
    if (rest.length > limits.path + maxHeadBytes) throw meter.pathTooLong(rest.toString('utf8', rest.indexOf(9) + 1))
  }
  return entries
}
