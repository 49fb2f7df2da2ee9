import { spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Json } from '../../base/json/json-checks.ts'

/** A program that Ruby wants to run. */
export interface ProgramOrder {
  readonly command: readonly string[]
  /**
   * Destination of standard output. `pipe`: collect output until all processes have closed the pipe; `file`: collect
   * output until the program ends; `inherit`; `null`.
   */
  readonly out: string
  /** Destination of standard error: the same values, or `out` to merge it with standard output. */
  readonly err: string
  /** Standard input in base64. */
  readonly input: string | null
  /** Environment variables; `null` removes a variable. */
  readonly env: Readonly<Record<string, string | null>>
  readonly cwd: string
  /** Time limit in seconds. */
  readonly seconds: number | null
  readonly umask: number
  /** True if the only word of the command is a line for the shell of Windows. */
  readonly isLine?: boolean
  readonly uid?: number | null
  readonly gid?: number | null
}

const isWindows = process.platform === 'win32'

const mostOutput = budgets.machine.programOutput.bound

const firstSignalStatus = 128

/** Runs a program to its end. Output is in base64. Throws the system error if it cannot be started. */
export function runHostProgram(order: ProgramOrder): Json {
  const file = order.out === 'file' && !isWindows ? openScratchFile() : undefined
  const isMerged = isWindows && order.err === 'out' && order.out !== 'inherit' && order.out !== 'null'
  try {
    const out = file ?? toStdioOption(order.out, 1)
    const [program = '', ...words] = wrapCommand(order)
    const { pid, status, signal, stdout, stderr, error } = spawnSync(program, words, {
      cwd: order.cwd,
      env: toEnvironment(order.env),
      input: Buffer.from(order.input ?? '', 'base64'),
      stdio: [
        'pipe',
        out,
        order.err === 'out' && file !== undefined ? file : toStdioOption(isMerged ? 'pipe' : order.err, 2),
      ],
      maxBuffer: mostOutput,
      ...(order.seconds === null ? {} : { timeout: Math.max(1, Math.ceil(order.seconds * 1000)) }),
      killSignal: 'SIGKILL',
      windowsHide: true,
      windowsVerbatimArguments: order.isLine === true,
      ...(typeof order.uid === 'number' ? { uid: order.uid } : {}),
      ...(typeof order.gid === 'number' ? { gid: order.gid } : {}),
    })
    const timedOut = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
    if (error && !timedOut && status === null && signal === null) throw error
    return {
      pid,
      status: status ?? firstSignalStatus + (signal === null ? 0 : constants.signals[signal]),
      signal: signal === null ? null : constants.signals[signal],
      out: toOutput(file === undefined ? stdout : readOutput(file), isMerged ? stderr : null),
      err: toOutput(isMerged ? null : stderr),
      timed_out: timedOut,
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Joins parts of the output in base64. Windows has no merged pipe: errors come after the other output. */
function toOutput(...parts: readonly (Buffer | null)[]): string {
  return Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0))).toString('base64')
}

/** Starts a program in the background. */
export function startProgram({ command, cwd, env }: Pick<ProgramOrder, 'command' | 'cwd' | 'env'>): Json {
  const [program = '', ...words] = command
  const child = spawn(program, words, { cwd, env: toEnvironment(env), stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
  return child.pid ?? null
}

/** Wraps the command in a shell if output streams are merged or the umask differs. */
function wrapCommand({ command, umask, out, err, isLine }: ProgramOrder): readonly string[] {
  if (isLine)
    return [`${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\cmd.exe`, '/d', '/s', '/c', `"${command[0]}"`]
  // Windows has no umask; cmd.exe takes a slash in its own name for an option.
  if (isWindows) return command.map((word, index) => (index === 0 ? word.replaceAll('/', '\\') : word))
  const sets = umask === ourMask ? [] : [`umask ${umask.toString(8)}`]
  const merged = err === 'out' && out !== 'file' ? ' 2>&1' : ''
  if (sets.length === 0 && merged === '') return command
  return ['/bin/sh', '-c', [...sets, `exec "$0" "$@"${merged}`].join('; '), ...command]
}

/** The umask of this process; threads can only read it. */
export const ourMask = process.umask()

function toStdioOption(wish: string, own: number): 'pipe' | 'ignore' | number {
  return wish === 'inherit' ? own : wish === 'null' || wish === 'out' ? 'ignore' : 'pipe'
}

function toEnvironment(env: ProgramOrder['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== null))
}

/** Opens an unlinked file for the output of a program that may leave child processes behind. */
function openScratchFile(): number {
  const path = join(tmpdir(), `plumb-${process.pid}-${crypto.randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path)
  return file
}

function readOutput(file: number): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, mostOutput))
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
}
