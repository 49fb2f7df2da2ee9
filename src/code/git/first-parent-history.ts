import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { type GitPlace, openGitOutput } from './git-command.ts'
import type { HistoryCommit } from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { checkOid, isOid } from './ref-names.ts'

const { bound } = budgets.environment.history

/** Returns the commits from a commit back to an older commit, following first parents; see `GitObjectSource`. */
export async function listFirstParents(
  place: GitPlace,
  from: string,
  until: string,
): Promise<readonly HistoryCommit[] | undefined> {
  const since = await readRevList(place, [checkOid(from), `^${checkOid(until)}`])
  if ((since.at(-1)?.parent ?? from) !== until) return undefined
  return [...since, ...(await readRevList(place, ['--max-count=1', until]))]
}

interface ListedCommit extends HistoryCommit {
  readonly parent: string | undefined
}

/** Parses two lines for each commit: `commit ID`, then its tree and parents. */
async function readRevList(place: GitPlace, words: readonly string[]): Promise<ListedCommit[]> {
  const args = ['rev-list', '--first-parent', '--format=%T %P', ...words, '--']
  const commits: ListedCommit[] = []
  let [rest, id] = ['', '']
  for await (const chunk of await openGitOutput(place, args)) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [first = '', second] = line.split(' ')
      if (first === 'commit' && second !== undefined) id = second
      else commits.push(toListedCommit(id, first, second))
    }
    checkHistoryLength(commits.length)
  }
  return commits
}

function toListedCommit(commit: string, tree: string, parent: string | undefined): ListedCommit {
  if (!isOid(commit) || !isOid(tree)) throwIssue(gitIssues.GIT_UNREADABLE, { what: 'a history' })
  return { commit, tree, parent: parent === '' ? undefined : parent }
}

/** Throws GIT_HISTORY_TOO_LONG if the number of commits exceeds the limit. */
export function checkHistoryLength(commits: number): void {
  if (commits > bound) throwIssue(gitIssues.GIT_HISTORY_TOO_LONG, { bound })
}
