import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Runs the real openssl; PEM texts among the arguments are given as files. Answers all that it said. */
export function openssl(...args: readonly (string | { readonly pem: string })[]): string {
  const directory = scratchFolder('openssl')
  const words = args.map((arg, index) => {
    if (typeof arg === 'string') return arg
    const file = join(directory, `${index}.pem`)
    writeFileSync(file, arg.pem, { mode: 0o600 })
    return file
  })
  return execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
