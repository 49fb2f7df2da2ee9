import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { findRepository, runGit } from '../../code/git/git-command.ts'

const issues = defineIssues({
  TEST_NO_REPOSITORY: {
    text: (a: { folder: string }) => `${a.folder} is not in a Git working tree`,
    hint: () => 'Run the command without --only-changed.',
  },
  TEST_REF: {
    text: (a: { ref: string }) => `The commit '${a.ref}' of --only-changed does not exist`,
    hint: () => 'Give a branch, a tag or a commit ID.',
  },
})

/**
 * Lists the files of a folder that differ from a commit, including new ones, relative to the folder. Throws
 * TEST_NO_REPOSITORY, TEST_REF, GIT_….
 */
export async function listChangedFiles(folder: string, ref: string): Promise<readonly string[]> {
  const root = realpathSync(folder)
  const top = findWorkingTree(root)
  const { gitDir } = await findRepository(top)
  const place = { gitDir, quarantine: false }
  const resolved = await runGit(place, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ]).catch(() => throwIssue(issues.TEST_REF, { ref }))
  const inTree = (...words: readonly string[]) =>
    runGit(place, ['-c', 'core.fsmonitor=false', `--work-tree=${top}`, '-C', top, ...words])
  const changed = await inTree(
    ...['diff', '--no-ext-diff', '--no-textconv', '--no-renames', '--name-only', '-z'],
    ...[resolved.toString().trim(), '--'],
  )
  const added = await inTree('ls-files', '--others', '--exclude-standard', '-z')
  const paths = `${changed}${added}`.split('\0').filter((path) => path !== '')
  return paths.map((path) => relative(root, join(top, path))).filter((path) => !path.startsWith('../'))
}

function findWorkingTree(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return throwIssue(issues.TEST_NO_REPOSITORY, { folder })
  }
}
