import { budgets } from '../../base/budgets/budgets.ts'
import { type GitPlace, openGitOutput } from './git-command.ts'
import type { BlamedLine } from './git-object-source.ts'
import { checkedOid, isOid } from './names.ts'

const { blamedLines, blameTime } = budgets.environment

/** Asks git who wrote lines of a file of a commit; see `GitObjectSource`. Throws GIT_FAILED, or when its time is over. */
export async function blame(
  place: GitPlace,
  commit: string,
  path: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, BlamedLine>> {
  const wanted = [...new Set(lines)].filter((line) => Number.isSafeInteger(line) && line > 0)
  const ranges = wanted.slice(0, blamedLines.bound).flatMap((line) => ['-L', `${line},${line}`])
  if (ranges.length === 0) return new Map()
  const args = ['blame', '--porcelain', ...ranges, checkedOid(commit), '--', path]
  const signal = AbortSignal.timeout(blameTime.bound)
  const chunks: Buffer[] = []
  for await (const chunk of await openGitOutput(place, args, { signal })) chunks.push(chunk)
  return linesOf(Buffer.concat(chunks).toString())
}

/**
 * A line begins with `ID OLD NEW`; where the commit comes for the first time, what is known of it follows, a word and the
 * rest of the line each; the text of the line is after a tab.
 */
function linesOf(output: string): ReadonlyMap<number, BlamedLine> {
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
