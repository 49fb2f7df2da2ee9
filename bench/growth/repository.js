// Repositories of a given size, written by `git fast-import` without a working tree.
import { execFileSync } from 'node:child_process'
import { data, fastImport } from '../large/history.js'

/** A bare repository; `commit` adds a commit to a branch, which starts from `production` if it is new. */
export function createRepository(bare, environmentpath) {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  const branches = new Set()
  let time = 1_700_000_000
  return {
    bare,
    environmentpath,
    /** Commits are written directly, so that a deployment only notifies the server. */
    push() {},
    /** @param {readonly { readonly branch: string, readonly files: Iterable<readonly [path: string, text: string]> }[]} commits */
    async commit(commits) {
      const written = new Set()
      await fastImport(bare, 1, async (write) => {
        for (const { branch, files } of commits) {
          const parts = [`commit refs/heads/${branch}\ncommitter Bench <bench@example.test> ${time++} +0000\n`]
          parts.push(data('A change\n'))
          // Within one stream, a branch is its name; `^0` is its commit in the repository.
          const base = branches.has(branch) ? branch : 'production'
          if (branches.size > 0) parts.push(`from refs/heads/${base}${written.has(base) ? '' : '^0'}\n`)
          written.add(branch)
          for (const [path, text] of files) parts.push(`M 100644 inline ${path}\n${data(text)}`)
          branches.add(branch)
          await write(parts.join(''))
        }
      })
    },
  }
}
