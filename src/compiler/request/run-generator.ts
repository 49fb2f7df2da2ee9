import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { defineIssues, fail, isIssue, type PuppetError } from '../../base/issue.ts'
import { systemCode } from '../../base/system-error.ts'
import { reasonText } from '../../ruby-semantics/errno.ts'
import { commandIssues } from '../../system/commands.ts'
import type { Commands } from '../../system/system.ts'

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

/** A program and its words. */
export type Command = readonly string[]

/** Less than a thread waits for an answer of the main one. */
const timeoutSeconds = 50
const maxOutputBytes = 4 * 1024 * 1024
/** Why a program was ended, by the error that Node says of it. */
const endings = {
  ETIMEDOUT: `it took more than ${timeoutSeconds} seconds`,
  ENOBUFS: `it printed more than ${maxOutputBytes} bytes`,
}
/** Status of a program that a signal ended. */
const signalStatus = 128

/** Runs a program for `generate()` by `commands`. Throws in Puppet's words. */
export async function runGenerator(command: Command, commands: Commands): Promise<string> {
  const program = command[0] ?? ''
  const options = { env: environment(), onlyEnv: true, timeout: timeoutSeconds, maxOutput: maxOutputBytes }
  const result = await commands.run(command, { cwd: dirname(program), ...options }).catch((error: PuppetError) => {
    if (!isIssue(error, commandIssues.COMMAND_NOT_STARTED)) throw error
    return textOfUnstarted(command, error.diagnostic.message)
  })
  if (typeof result === 'string') return result
  if (result.timedOut) fail(issues.GENERATOR_DIED, { program, why: endings.ETIMEDOUT })
  if (result.overflowed) fail(issues.GENERATOR_DIED, { program, why: endings.ENOBUFS })
  return textOf(command, result.status, result.stdout + result.stderr)
}

/** The same in a thread that may stand still meanwhile. */
export function runGeneratorHere(command: Command): string {
  const [program = '', ...words] = command
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: dirname(program),
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: timeoutSeconds * 1000,
    maxBuffer: maxOutputBytes,
  })
  const code = systemCode(error)
  if (code === 'ETIMEDOUT' || code === 'ENOBUFS') fail(issues.GENERATOR_DIED, { program, why: endings[code] })
  if (error)
    return textOfUnstarted(
      command,
      commandIssues.COMMAND_NOT_STARTED.text({ command: program, why: reasonText(error) }),
    )
  return textOf(command, status ?? signalStatus, stdout + stderr)
}

function environment(): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', LANG: 'C', LC_ALL: 'C' }
}

/** Puppet's own process could not become the program, and says so in its place. Puppet: util/execution.rb, `execute_posix`. */
function textOfUnstarted(command: Command, why: string): string {
  return textOf(command, 1, `Error: ${why}`)
}

function textOf(command: Command, status: number, output: string): string {
  if (status === 0) return output
  return fail(issues.GENERATOR_FAILED, {
    program: command[0] ?? '',
    command: command.join(' '),
    status,
    output: output.trim(),
  })
}
