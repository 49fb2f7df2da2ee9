import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import { functionIssues } from '../language/functions/issues.ts'
import type { Host } from '../language/host.ts'

const issues = defineIssues({
  GENERATOR_FAILED: {
    // Puppet: functions/generate.rb, util/execution.rb
    text: (a: { program: string; command: string; status: number; output: string }) =>
      `Failed to execute generator ${a.program}: Execution of '${a.command}' returned ${a.status}: ${a.output}`,
  },
  GENERATOR_DIED: {
    text: (a: { program: string; why: string }) => `Failed to execute generator ${a.program}: ${a.why}`,
  },
})

const patience = 60_000
const mostOutput = 4 * 1024 * 1024

/**
 * What `generate()` prints where the operator allows programs; each is run once for the same words in one catalog.
 * `undefined` where none is allowed.
 */
export function generatorsOf(allowed: readonly string[]): Host['generate'] {
  if (allowed.length === 0) return undefined
  const printed = new Map<string, string>()
  return (command) => {
    const key = JSON.stringify(command)
    const text = printed.get(key) ?? run(command, allowed)
    printed.set(key, text)
    return text
  }
}

function run([program = '', ...words]: readonly string[], allowed: readonly string[]): string {
  if (!allowed.includes(program)) fail(functionIssues.GENERATE_NOT_ALLOWED, { program })
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: dirname(program),
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: patience,
    maxBuffer: mostOutput,
  })
  if (error || status === null) fail(issues.GENERATOR_DIED, { program, why: error?.message ?? 'it was ended' })
  const output = `${stdout}${stderr}`
  if (status !== 0)
    fail(issues.GENERATOR_FAILED, { program, command: [program, ...words].join(' '), status, output: output.trim() })
  return output
}
