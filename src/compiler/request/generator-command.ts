import { execFile, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { startChildProcess } from '../../base/program/child-process.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { commandIssues } from '../../machine/system/commands.ts'

const issues = defineIssues({
  GENERATOR_FAILED: {
    // Puppet: functions/generate.rb, util/execution.rb
    text: (a: { program: string; command: string; status: number; output: string }) =>
      `Failed to execute generator ${a.program}: Execution of '${a.command}' returned ${a.status}: ${a.output}`,
  },
  GENERATOR_ENDED: {
    text: (a: { program: string; why: string }) => `Failed to execute generator ${a.program}: ${a.why}`,
  },
})

/** A program and its arguments. */
export type GeneratorCommand = readonly string[]

/** The exit of a program, as reported by Node. */
interface End {
  readonly error: (Error & { readonly killed?: boolean | undefined }) | null | undefined
  readonly status: number | null
  readonly output: string
}

const { generatorTime, generatorOutput } = budgets.environment
/** Exit status reported for a program that was killed by a signal. */
const signalStatus = 128

/** Runs a program for `generate()` and returns its output. Throws Puppet's message. */
export function runGenerator(command: GeneratorCommand): Promise<string> {
  const [program = '', ...words] = command
  return new Promise((resolve, reject) => {
    const child = startChildProcess(() =>
      execFile(program, words, getProcessOptions(program), (error, stdout, stderr) => {
        try {
          resolve(getProcessOutput(command, { error, status: child.exitCode, output: joinOutputs(stdout, stderr) }))
        } catch (failure) {
          reject(failure)
        }
      }),
    )
    child.stdin?.end()
  })
}

/** Same as `runGenerator`, but blocks the thread until the program has ended. */
export function runGeneratorSync(command: GeneratorCommand): string {
  const [program = '', ...words] = command
  const { error, status, stdout, stderr } = spawnSync(program, words, getProcessOptions(program))
  return getProcessOutput(command, { error, status, output: joinOutputs(stdout, stderr) })
}

function getProcessOptions(program: string) {
  const env = { PATH: process.env['PATH'] ?? '', LANG: 'C', LC_ALL: 'C' }
  const limits = { timeout: generatorTime.bound, maxBuffer: generatorOutput.bound, killSignal: 'SIGKILL' } as const
  return { cwd: dirname(program), env, encoding: 'buffer', ...limits } as const
}

/** Returns the outputs as one text. The outputs are undefined if the program did not start. */
function joinOutputs(...outputs: readonly (Buffer | undefined)[]): string {
  return decodeLosslessUtf8(Buffer.concat(outputs.map((each) => each ?? Buffer.alloc(0))))
}

function getProcessOutput(command: GeneratorCommand, { error, status, output }: End): string {
  const program = command[0] ?? ''
  const code = error ? getSystemErrorCode(error) : undefined
  if (code === 'ENOBUFS' || code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return throwIssue(issues.GENERATOR_ENDED, { program, why: `its output exceeds ${generatorOutput.bound} bytes` })
  if (code === 'ETIMEDOUT' || error?.killed)
    return throwIssue(issues.GENERATOR_ENDED, {
      program,
      why: `it took more than ${generatorTime.bound / 1000} seconds`,
    })
  if (code === undefined) return checkExitStatus(command, status ?? signalStatus, output)
  // In Puppet, the forked process prints this message if it cannot execute the program: util/execution.rb,
  // `execute_posix`.
  const why = commandIssues.COMMAND_NOT_STARTED.text({ command: program, why: formatErrorReason(error) })
  return checkExitStatus(command, 1, `Error: ${why}`)
}

function checkExitStatus(command: GeneratorCommand, status: number, output: string): string {
  if (status === 0) return output
  const failed = { command: command.join(' '), status, output: output.trim() }
  return throwIssue(issues.GENERATOR_FAILED, { program: command[0] ?? '', ...failed })
}
