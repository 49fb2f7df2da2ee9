import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Does work with a git first in PATH that does something else before; `$git` is the real one. */
export async function withGit(folder: string, before: string, work: () => Promise<void>): Promise<void> {
  const bin = join(folder, 'bin')
  const path = process.env['PATH']
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ngit=${real}\n${before}\nexec $git "$@"\n`, { mode: 0o755 })
  process.env['PATH'] = `${bin}:${path}`
  try {
    await work()
  } finally {
    process.env['PATH'] = path
  }
}
