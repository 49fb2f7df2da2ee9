import { defineIssues, throwIssue } from '../../base/issue.ts'
import { resolveCommit } from '../../code/environments/git/commit-resolution.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'

const issues = defineIssues({
  CODE_RANGE: {
    text: (a: { given: string }) => `'${a.given}' is not a range of commits`,
    hint: () =>
      'Give OLD..NEW, such as production..feature. OLD...NEW starts at the merge base of both; NEW alone starts at its merge base with the branch of the environment.',
  },
  NO_COMMON_COMMIT: {
    text: (a: { one: string; other: string }) => `'${a.one}' and '${a.other}' have no commit in common`,
    hint: () => 'Give both commits as OLD..NEW.',
  },
})

/** Two commits, with the names given for them. */
export interface CodeRange {
  readonly from: CodePoint
  readonly to: CodePoint
}

/** A commit, and the ref given for it. */
export interface CodePoint {
  readonly commit: string
  readonly ref: string
}

/**
 * Resolves `OLD..NEW`, `OLD...NEW` or `NEW`. `OLD...NEW` starts at the merge base; `NEW` starts at its merge base with
 * `main`. Throws CODE_RANGE, NO_SUCH_COMMIT and NO_COMMON_COMMIT.
 */
export async function resolveCodeRange(given: string, main: string, source: GitObjectSource): Promise<CodeRange> {
  const [, old, dots, last] = /^([^.](?:[^.]|\.(?!\.))*)(\.{2,3})([^.].*)$/s.exec(given) ?? []
  if (dots === undefined && (given === '' || given.includes('..'))) throwIssue(issues.CODE_RANGE, { given })
  const [from, to] = [old ?? main, last ?? given]
  const [one, other] = [await resolveCommit(source, from), await resolveCommit(source, to)]
  const new_ = { commit: other, ref: to }
  if (dots === '..') return { from: { commit: one, ref: from }, to: new_ }
  const base = (await source.mergeBase(one, other)) ?? throwIssue(issues.NO_COMMON_COMMIT, { one: from, other: to })
  return { from: { commit: base, ref: base }, to: new_ }
}
