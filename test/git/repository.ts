import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from '../support/scratch-folder.ts'

/** What a file of a test's tree is: its text, or more. */
export type TestFile = string | Buffer | { link: string } | { script: string }

/** A working copy that pushes to a bare repository beside it. */
export interface TestRepository {
  readonly folder: string
  /** The bare repository. */
  readonly bare: string
  /** Runs git in the working copy. */
  git(...args: string[]): string
  /** Runs git in the bare repository. */
  gitBare(...args: string[]): string
  /** Writes files (`undefined` removes one), commits them on a branch, pushes; answers the commit. */
  push(branch: string, files: Readonly<Record<string, TestFile | undefined>>, ...options: string[]): string
  remove(): void
}

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** An empty repository of a test's own, removed by `remove`. */
export function makeRepository(): TestRepository {
  const folder = scratchFolder('git')
  const bare = join(folder, 'bare.git')
  const work = join(folder, 'work')
  const run = (cwd: string, args: readonly string[]): string =>
    execFileSync('git', args, { cwd, env: { ...process.env, ...identity }, encoding: 'utf8', stdio: 'pipe' }).trimEnd()
  const git = (...args: string[]): string => run(work, args)
  run(folder, ['init', '-q', '--bare', '-b', 'production', bare])
  run(folder, ['init', '-q', '-b', 'production', work])
  git('remote', 'add', 'origin', bare)

  return {
    folder,
    bare,
    git,
    gitBare: (...args) => run(bare, args),
    push(branch, files, ...options) {
      const current = git('symbolic-ref', '--short', 'HEAD')
      if (branch !== current) git('checkout', '-q', ...(git('branch', '--list', branch) ? [branch] : ['-b', branch]))
      for (const [path, file] of Object.entries(files)) put(join(work, path), file)
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', 'change')
      git('push', '-q', ...options, 'origin', branch)
      return git('rev-parse', 'HEAD')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function put(path: string, file: TestFile | undefined): void {
  rmSync(path, { force: true, recursive: true })
  if (file === undefined) return
  mkdirSync(dirname(path), { recursive: true })
  if (typeof file === 'string' || Buffer.isBuffer(file)) writeFileSync(path, file)
  else if ('link' in file) symlinkSync(file.link, path)
  else {
    writeFileSync(path, file.script)
    chmodSync(path, 0o755)
  }
}
