import type { CommitSummary } from './git-object-source.ts'

/** Returns the committer's time in seconds since 1970; 0 without a committer line. */
export function getCommitTime(commit: string): number {
  const headers = commit.slice(0, commit.indexOf('\n\n'))
  const line = headers.split('\n').find((each) => each.startsWith('committer '))
  const time = Number(line?.split(' ').at(-2))
  return Number.isSafeInteger(time) && time >= 0 && time <= latest ? time : 0
}

/** The last second that a JavaScript date can represent. */
const latest = 8_640_000_000_000

/** Returns the subject and the author from the text of a commit. */
export function getCommitSummary(commit: string): CommitSummary {
  const end = commit.indexOf('\n\n')
  const line = commit
    .slice(0, end)
    .split('\n')
    .find((each) => each.startsWith('author '))
  const author = line?.slice('author '.length, line.indexOf(' <')) ?? ''
  return { subject: end === -1 ? '' : commit.slice(end + 2).split('\n', 1)[0]!, author }
}
