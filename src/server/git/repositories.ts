import { basename, dirname, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'

/** Repositories served over HTTPS: git directory by URL name, without `.git`. */
export type Repositories = ReadonlyMap<string, string>

const issues = defineIssues({
  REPOSITORY_NAME: {
    text: (a: { name: string }) => `'${a.name}' cannot be a repository name in a URL`,
    hint: () => 'Use letters, digits, dots, dashes and underscores; the first character must be a letter or a digit.',
  },
  REPOSITORY_TWICE: {
    text: (a: { name: string }) => `Two repositories would have the path /git/${a.name}.git`,
    hint: () => 'The code repository has the name of its directory. Rename the source in the code_sources file.',
  },
})

/** Allowed form of a repository's name. */
export const repositoryName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Builds the table of repositories. Throws REPOSITORY_NAME, REPOSITORY_TWICE. */
export function createRepositoryTable(named: readonly (readonly [name: string, gitDir: string])[]): Repositories {
  const wrong = named.find(([name]) => !repositoryName.test(name) || name.endsWith('.git'))
  if (wrong) return throwIssue(issues.REPOSITORY_NAME, { name: wrong[0] })
  const twice = named.find(([name], at) => named.findIndex((each) => each[0] === name) < at)
  return twice ? throwIssue(issues.REPOSITORY_TWICE, { name: twice[0] }) : new Map(named)
}

/**
 * Name of a repository from its path: the last component without `.git`, or its parent if the last
 * component is `.git`.
 */
export function toRepositoryName(path: string): string {
  const last = basename(resolve(path))
  const name = last === '.git' ? basename(dirname(resolve(path))) : last
  return name.endsWith('.git') ? name.slice(0, -'.git'.length) : name
}
