import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import type { CodeSource } from '../../deploy/sources/code-source.ts'

const issues = defineIssues({
  GIT_REPOSITORY_UNKNOWN: {
    text: (a: { name: string; known: readonly string[] }) =>
      `git_repositories contains '${a.name}', which is not a source in code_sources`,
    hint: (a) => formatSuggestion(a.name, a.known),
  },
  GIT_REPOSITORY_ELSEWHERE: {
    text: (a: { name: string; remote: string }) =>
      `git_repositories contains '${a.name}', whose repository is on another machine: ${a.remote}`,
    hint: () => 'Only sources whose remote is a path on this machine can be served.',
  },
})

/**
 * Repositories of the sources named in `git_repositories`, by source name. Throws GIT_REPOSITORY_…
 * and errors on opening a repository.
 */
export async function openSourceRepositories(
  names: readonly string[],
  sources: readonly Pick<CodeSource, 'name' | 'remote'>[],
): Promise<readonly (readonly [name: string, gitDir: string])[]> {
  return Promise.all(
    names.map(async (name) => {
      const source = sources.find((each) => each.name === name)
      if (!source) return throwIssue(issues.GIT_REPOSITORY_UNKNOWN, { name, known: sources.map((each) => each.name) })
      const { protocol, url } = source.remote
      if (protocol !== 'file') throwIssue(issues.GIT_REPOSITORY_ELSEWHERE, { name, remote: url })
      const opened = await openRepository(url)
      await opened.close()
      return [name, opened.path] as const
    }),
  )
}
