import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** Runs gpg on a home as a person would, and returns its output. */
export function runGpg(home: string, words: readonly string[], input: string | Buffer = ''): Buffer {
  const options = ['--homedir', home, '--batch', '--quiet', '--trust-model', 'always', '--pinentry-mode', 'loopback']
  return execFileSync('gpg', [...options, ...words], { input, stdio: ['pipe', 'pipe', 'ignore'] })
}

/** A GnuPG home with a key of its own for each name. */
export function createGpgHome(home: string, names: readonly string[], passphrase = ''): void {
  mkdirSync(home, { mode: 0o700 })
  for (const name of names)
    runGpg(home, [
      '--passphrase',
      passphrase,
      '--quick-gen-key',
      `${name}@example.com`,
      'future-default',
      'default',
      '0',
    ])
}

/** Ends the agent that gpg started for a home. */
export function endGpgAgent(home: string): void {
  execFileSync('gpgconf', ['--homedir', home, '--kill', 'gpg-agent'], { stdio: 'ignore' })
}
