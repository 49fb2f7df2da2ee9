import { text } from 'node:stream/consumers'
import { budgets } from '../../base/budgets/budgets.ts'
import { type GitPlace, openGitOutput } from './git-command.ts'
import type { BlamedLine } from './git-object-source.ts'
import { checkOid, isOid } from './ref-names.ts'

const { blamedLines, blameTime } = budgets.environment

/**
 * Returns the commits that wrote the given lines of a file; see `GitObjectSource`. Throws
 * GIT_FAILED, and throws on timeout.
 */
export async function readBlame(
  place: GitPlace,
  commit: string,
  path: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, BlamedLine>> {
  const wanted = [...new Set(lines)].filter((line) => Number.isSafeInteger(line) && line > 0)
  const ranges = wanted.slice(0, blamedLines.bound).flatMap((line) => ['-L', `${line},${line}`])
  if (ranges.length === 0) return new Map()
  const args = ['blame', '--porcelain', ...ranges, checkOid(commit), '--', path]
  const signal = AbortSignal.timeout(blameTime.bound)
  return parseBlame(await text(await openGitOutput(place, args, { signal })))
}

/**
 * Parses git's output. Each entry begins with `ID OLD NEW`. In the first entry of a commit, headers
 * follow, one per line: a word and its value. The text of the line follows a tab.
 */
function parseBlame(output: string): ReadonlyMap<number, BlamedLine> {
  const found = new Map<number, BlamedLine>()
  const commits = new Map<string, Map<string, string>>()
  let [commit, line] = ['', 0]
  for (const each of output.split('\n')) {
    const [word = '', ...rest] = each.split(' ')
    if (each.startsWith('\t')) {
      const about = commits.get(commit)
      const time = Number(about?.get('author-time') ?? 0)
      const words = { author: about?.get('author') ?? '', subject: about?.get('summary') ?? '', time }
      found.set(line, { commit, ...words })
    } else if (isOid(word)) {
      commit = word
      line = Number(rest[1])
      if (!commits.has(commit)) commits.set(commit, new Map())
    } else commits.get(commit)?.set(word, rest.join(' '))
  }
  return found
}
