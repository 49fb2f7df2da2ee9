// Who pushes: commits made without a working tree, in a clone that borrows all objects.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** A clone of a bare repository from which a branch can be pushed to. */
export function gitClient(folder, { bare, branch }) {
  const clone = join(folder, 'client.git')
  const run = (words, options = {}) =>
    execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1e9, stdio: ['pipe', 'pipe', 'pipe'], ...options }).trim()
  run(['clone', '--quiet', '--bare', '--shared', '--single-branch', '--branch', branch, bare, clone])
  const git = (words, input) =>
    run(['--git-dir', clone, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.test', ...words], { input })
  return {
    git,
    /** A commit on top of another one that appends a line to a file. */
    commitLine(parent, path, line) {
      const index = { GIT_DIR: clone, GIT_INDEX_FILE: join(folder, 'index') }
      const env = { ...process.env, ...index }
      const blob = git(['hash-object', '-w', '--stdin'], `${git(['show', `${parent}:${path}`])}\n${line}\n`)
      run(['read-tree', parent], { env })
      run(['update-index', '--cacheinfo', `100644,${blob},${path}`], { env })
      const tree = run(['write-tree'], { env })
      return git(['commit-tree', tree, '-p', parent, '-m', `Change ${path}`])
    },
    /** Pushes a commit; what the hooks of the other side print is dropped. */
    push(commit) {
      git(['push', '--quiet', bare, `${commit}:refs/heads/${branch}`])
    },
  }
}
