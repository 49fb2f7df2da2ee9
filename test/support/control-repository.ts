import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { scratchFolder } from './scratch-folder.ts'

/** Files of a commit: text by path; `undefined` takes one away. */
export type Files = Readonly<Record<string, string | Uint8Array | undefined>>

/** A bare repository and a clone to push from, in a temporary folder. */
export interface ControlRepository {
  readonly bare: string
  readonly work: string
  /** Commits the files on a branch and pushes it; answers the commit. Throws what git said when it was refused. */
  push(files: Files, branch?: string): string
  git(...words: string[]): string
  /** Pins the last commit, as if it had been served: it is not checked then, whether it parses or not. */
  pin(): void
  remove(): void
}

const env = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.test',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.test',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** A control repository with its first commit on `production`. */
export function controlRepository(files: Files): ControlRepository {
  const folder = scratchFolder('repository')
  const bare = join(folder, 'code.git')
  const work = join(folder, 'work')
  const git = (...words: string[]) => execaSync('git', words, { cwd: work, env }).stdout
  mkdirSync(work)
  execaSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare], { env })
  git('init', '--quiet', '--initial-branch=production')
  git('remote', 'add', 'origin', bare)
  const repository: ControlRepository = {
    bare,
    work,
    git,
    pin() {
      const commit = git('rev-parse', 'HEAD')
      git('--git-dir', bare, 'update-ref', `refs/plumb/served/${commit}`, commit)
    },
    push(changes, branch = 'production') {
      if (git('branch', '--show-current') !== branch) git('checkout', '--quiet', '-B', branch)
      for (const [path, content] of Object.entries(changes)) {
        const file = join(work, path)
        if (content === undefined) rmSync(file)
        else {
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, content)
        }
      }
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'A change')
      git('push', '--quiet', '--force', 'origin', branch)
      return git('rev-parse', 'HEAD')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  repository.push(files)
  return repository
}
