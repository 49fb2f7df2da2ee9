import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import type { Host } from '../../language/host.ts'
import { type GeneratedTexts, keyOfCommand } from '../request/generated-texts.ts'

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

const timeoutMs = 60_000
const mostOutputBytes = 4 * 1024 * 1024

/** Remembered texts of `generate()`, and the commit for which they hold. */
interface Memory {
  readonly texts: GeneratedTexts
  /** The commit that is compiled; `undefined` for a folder, whose texts are one catalog's. */
  readonly commit: string | undefined
}

/**
 * `generate()` with the programs that the operator allows; each is run once for the same words in one commit, or in one
 * catalog of a folder. A program that fails is run again. `undefined` where no program is allowed.
 */
export function generatorsOf(allowed: readonly string[], { texts, commit }: Memory): Host['generate'] {
  if (allowed.length === 0) return undefined
  const ofCatalog = new Map<string, string>()
  const answerTo = (command: readonly string[]): string => {
    const [program = ''] = command
    if (!allowed.includes(program)) fail(functionIssues.GENERATE_NOT_ALLOWED, { program })
    const key = commit === undefined ? undefined : keyOfCommand(commit, command)
    const known = key === undefined ? undefined : texts.get(key)
    if (known !== undefined) return known
    const text = run(command)
    if (key !== undefined) texts.set(key, text)
    return text
  }
  return (command) => {
    const words = JSON.stringify(command)
    const text = ofCatalog.get(words) ?? answerTo(command)
    ofCatalog.set(words, text)
    return text
  }
}

function run([program = '', ...words]: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: dirname(program),
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: mostOutputBytes,
  })
  if (error || status === null) fail(issues.GENERATOR_DIED, { program, why: error?.message ?? 'it was ended' })
  const output = `${stdout}${stderr}`
  if (status !== 0)
    fail(issues.GENERATOR_FAILED, { program, command: [program, ...words].join(' '), status, output: output.trim() })
  return output
}
