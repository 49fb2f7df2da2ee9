import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { constants as os } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { execa as Execa } from 'execa'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { noPipes, startChildProcess } from '../../base/program/child-process.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { isWindows } from '../windows/machine-path.ts'
import type { CommandOptions, CommandResult, Commands } from './system.ts'
import { windowsCommands } from './windows-commands.ts'

/** Errors about programs that could not be started. */
export const commandIssues = defineIssues({
  COMMAND_NOT_STARTED: {
    // Puppet: util/execution.rb, which includes the message of Ruby's Errno.
    text: (a: { command: string; why: string }) => `Could not execute posix command: ${a.why} - ${a.command}`,
  },
})

/**
 * Milliseconds to wait for output after a program has exited: a daemon that the program started may
 * keep the pipe open forever.
 */
const patience = 500

/** The programs of this machine. */
export const localCommands: Commands = isWindows ? windowsCommands : { find: findProgram, run: runCommand }

async function findProgram(name: string, path = process.env['PATH'] ?? ''): Promise<string | undefined> {
  const places = isAbsolute(name) ? [name] : path.split(delimiter).map((directory) => join(directory, name))
  for (const place of places) if (await isExecutable(place)) return place
  return undefined
}

async function isExistingPath(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** True if the path is an executable file. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

async function runCommand(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { execa } = await import('execa') // loaded only where programs are run: it takes a tenth of a second
  const words = options.merged ? await buildMergedCommand(command, options.env?.['PATH']) : command
  const child = withUmask(options.umask, () => startProgram(execa, words, options))
  let timedOut = false
  const { timeout = 0 } = options
  // The timeout of execa would kill the program, but not its child processes.
  const killOnTimeout = () => {
    timedOut = killProcessGroup(child)
  }
  const overflowed = options.maxOutput === undefined ? undefined : limitOutput(child, options.maxOutput)
  const killer = timeout > 0 ? setTimeout(killOnTimeout, timeout * 1000) : undefined
  let waiting: NodeJS.Timeout | undefined
  child.once('exit', () => {
    clearTimeout(killer)
    waiting = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, patience)
  })
  const { exitCode, signal, code = '', originalMessage = '', stdout, stderr, all } = await child
  clearTimeout(killer)
  clearTimeout(waiting)
  if (exitCode === undefined && signal === undefined)
    throwIssue(commandIssues.COMMAND_NOT_STARTED, { command: command[0] ?? '', why: reasons[code] ?? originalMessage })
  const ending = {
    status: computeExitStatus(exitCode, signal),
    timedOut,
    ...(signal !== undefined && { signaled: true as const }),
    ...(overflowed && { overflowed: overflowed() }),
  }
  return { ...ending, stdout: decodeOutput(stdout), stderr: decodeOutput(stderr), output: decodeOutput(all) }
}

/**
 * A shell command that redirects standard error to standard output and execs the program. A missing
 * program is reported before the shell starts.
 */
async function buildMergedCommand(
  [program = '', ...args]: readonly string[],
  path?: string,
): Promise<readonly string[]> {
  const isRelative = program.includes('/') && !isAbsolute(program)
  if (
    !isRelative &&
    (await findProgram(program, path)) === undefined &&
    !(isAbsolute(program) && (await isExistingPath(program)))
  )
    throwIssue(commandIssues.COMMAND_NOT_STARTED, { command: program, why: reasons['ENOENT']! })
  return ['/bin/sh', '-c', 'exec "$0" "$@" 2>&1', program, ...args]
}

/** Output as text; bytes that are not UTF-8 are escaped. */
function decodeOutput(output: string | Uint8Array): string {
  return typeof output === 'string' ? output : decodeLosslessUtf8(output)
}

interface Child {
  readonly pid?: number
  readonly stdout: NodeJS.ReadableStream
  readonly stderr: NodeJS.ReadableStream
}

/**
 * Kills a program whose output exceeds the limit, because execa's own limit would let the program
 * continue. Returns a function that tells if the limit was exceeded.
 */
function limitOutput(child: Child, most: number): () => boolean {
  let seen = 0
  const count = (chunk: Buffer | string): void => {
    seen += chunk.length
    if (seen > most) killProcessGroup(child)
  }
  child.stdout.on('data', count)
  child.stderr.on('data', count)
  return () => seen > most
}

/**
 * Starts the program in a process group of its own, so that its child processes can be killed
 * together with it after a timeout.
 */
function startProgram(
  execa: typeof Execa,
  [program = '', ...args]: readonly string[],
  { cwd, env, uid, gid, input, encoding }: CommandOptions,
) {
  try {
    const options = {
      cwd,
      env,
      uid,
      gid,
      input: input ?? '',
      detached: true,
      reject: false,
      all: true,
      stripFinalNewline: false,
      encoding: encoding ?? 'buffer',
      maxBuffer: Number.POSITIVE_INFINITY,
    } as const
    return startChildProcess(() => execa(program, args, options))
  } catch (error) {
    // If the process could not be started, execa throws a TypeError about missing streams.
    const why = error instanceof TypeError ? noPipes : formatError(error)
    return throwIssue(commandIssues.COMMAND_NOT_STARTED, { command: program, why })
  }
}

/** Sets the umask of this process while `start` runs; the started child process inherits it. */
function withUmask<T>(umask: number | undefined, start: () => T): T {
  const before = umask === undefined ? undefined : process.umask(umask)
  try {
    return start()
  } finally {
    if (before !== undefined) process.umask(before)
  }
}

/** Kills a process group. Returns false if the group no longer exists. */
function killProcessGroup({ pid }: { readonly pid?: number }): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Exit status as a shell reports it: 128 plus the signal number if a signal ended the program. */
function computeExitStatus(code: number | undefined, signal: NodeJS.Signals | undefined): number {
  return code ?? 128 + (signal === undefined ? 0 : os.signals[signal])
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  ENOEXEC: 'Exec format error',
  EPERM: 'Operation not permitted',
}
