import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The end of a command of real Puppet. */
export interface PuppetRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs commands of real Puppet one after the other, given by their words, in a tenth of the time that each takes alone. */
export function puppetRuns(commands: readonly (readonly string[])[]): readonly PuppetRun[] {
  const input = JSON.stringify(commands)
  const script = join(import.meta.dirname, 'puppet-runs.rb')
  const { stdout, stderr } = spawnSync('ruby', ['-W0', script], { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1)) as PuppetRun[]
}
