import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { scratchFolder } from './scratch-folder.ts'

/** A file of a commit: its text or bytes, the target of a link, or the text of a program. */
export type RepositoryFile = string | Uint8Array | { readonly link: string } | { readonly script: string }

/** Files of a commit by path; `undefined` takes one away. */
export type Files = Readonly<Record<string, RepositoryFile | undefined>>

/** A bare repository and a clone to push from, in a scratch folder. */
export interface ControlRepository {
  /** The folder of both. */
  readonly folder: string
  readonly bare: string
  readonly work: string
  /** Runs git in the clone. */
  git(...words: string[]): string
  /** Runs git in the bare repository. */
  gitBare(...words: string[]): string
  /** Commits the files on a branch and pushes it; answers the commit. Throws what git said when it was refused. */
  push(files: Files, branch?: string, ...options: string[]): string
  /** Pins the last commit, as if it had been served: it is not checked then, whether it parses or not. */
  pin(): void
}

/** Who commits, and no configuration of the user's. */
export const gitIdentity: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.test',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.test',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** A control repository with its first commit on `production`; without files an empty one. */
export function controlRepository(files?: Files): ControlRepository {
  const folder = scratchFolder('repository')
  const bare = join(folder, 'code.git')
  const work = join(folder, 'work')
  const run = (cwd: string, words: readonly string[]): string =>
    execaSync('git', words, { cwd, env: gitIdentity }).stdout
  const git = (...words: string[]): string => run(work, words)
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  run(folder, ['init', '--quiet', '--initial-branch=production', work])
  git('remote', 'add', 'origin', bare)
  const repository: ControlRepository = {
    folder,
    bare,
    work,
    git,
    gitBare: (...words) => run(bare, words),
    pin() {
      const commit = git('rev-parse', 'HEAD')
      git('--git-dir', bare, 'update-ref', `refs/plumb/served/${commit}`, commit)
    },
    push(changes, branch = 'production', ...options) {
      if (git('branch', '--show-current') !== branch)
        git('checkout', '--quiet', ...(git('branch', '--list', branch) ? [branch] : ['-b', branch]))
      writeFiles(work, changes)
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'A change')
      git('push', '--quiet', ...options, 'origin', branch)
      return git('rev-parse', 'HEAD')
    },
  }
  if (files) repository.push(files)
  return repository
}

/** Writes files into a working tree, and takes away those that are `undefined`. */
export function writeFiles(work: string, files: Files): void {
  for (const [path, file] of Object.entries(files)) put(join(work, path), file)
}

function put(path: string, file: RepositoryFile | undefined): void {
  rmSync(path, { force: true, recursive: true })
  if (file === undefined) return
  mkdirSync(dirname(path), { recursive: true })
  if (typeof file === 'string' || file instanceof Uint8Array) writeFileSync(path, file)
  else if ('link' in file) symlinkSync(file.link, path)
  else {
    writeFileSync(path, file.script)
    chmodSync(path, 0o755)
  }
}
