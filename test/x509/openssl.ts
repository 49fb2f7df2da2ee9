import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs the real openssl; PEM texts among the arguments are given as files. Answers all that it said. */
export function openssl(...args: readonly (string | { readonly pem: string })[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumb-openssl-'))
  const words = args.map((arg, index) => {
    if (typeof arg === 'string') return arg
    const file = join(directory, `${index}.pem`)
    writeFileSync(file, arg.pem, { mode: 0o600 })
    return file
  })
  return execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
