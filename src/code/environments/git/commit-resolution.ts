import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { toEnvironmentName } from '../environment-name.ts'
import { branches } from './branch-choice.ts'

/** Largest number of branches to list in a hint. */
const maxNamed = 10

const issues = defineIssues({
  NO_SUCH_COMMIT: {
    text: (a: { ref: string; path: string; why: string | undefined; branches: readonly string[] }) =>
      `'${a.ref}' is not a commit of the Git repository ${a.path}${a.why === undefined ? '' : `: ${a.why}`}`,
    hint: (a) => {
      if (a.why !== undefined) return undefined
      if (a.branches.length === 0)
        return `The repository has no branches. Push one: 'git push ${a.path} HEAD:production'.`
      const names = [...a.branches, ...a.branches.map(toEnvironmentName)]
      const longer = a.ref.length >= 3 ? names.find((name) => name.startsWith(a.ref)) : undefined
      const meant = longer === undefined ? formatSuggestion(a.ref, names) : `Did you mean '${longer}'?`
      if (meant !== undefined) return meant
      const more = a.branches.length > maxNamed ? ', …' : ''
      return `Name a branch, a tag, or a commit by its id. Branches: ${a.branches.slice(0, maxNamed).join(', ')}${more}.`
    },
  },
})

/**
 * Resolves a branch, tag, commit id or environment, with an optional suffix (`feature_x~2`). Names in
 * Git take precedence over names of environments. Throws NO_SUCH_COMMIT.
 */
export async function resolveCommit(source: GitObjectSource, ref: string): Promise<string> {
  const commit = await source.resolveRef(ref)
  if (commit !== undefined) return commit
  const { commits, broken } = await source.listRefs(branches)
  const [, name = '', before = ''] = /^(\w+)([~^].{0,100})?$/.exec(ref) ?? []
  const alike = [...commits.keys()].filter((each) => toEnvironmentName(each.slice(branches.length)) === name)
  const found = alike.length === 1 ? await source.resolveRef(`${alike[0]}${before}`) : undefined
  if (found !== undefined) return found
  const known = [...commits.keys()].map((each) => toPrintable(each.slice(branches.length)))
  const why = broken.get(`${branches}${ref}`) ?? broken.get(ref)
  return throwIssue(issues.NO_SUCH_COMMIT, { ref, path: source.path, why, branches: known })
}
