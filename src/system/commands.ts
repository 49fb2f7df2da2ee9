import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { constants as os } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import type { Commands, RunOptions, RunResult } from './system.ts'

const issues = defineIssues({
  COMMAND_NOT_STARTED: {
    // Puppet: util/execution.rb, and the words of Ruby's Errno behind it.
    text: (a: { command: string; why: string }) => `Could not execute posix command: ${a.why} - ${a.command}`,
  },
})

/** How long output may still come after a program ended: a daemon that it left behind may hold the pipe for ever. */
const patience = 500

/** The programs of the machine we run on. */
export const localCommands: Commands = { find, run }

async function find(name: string, path = process.env['PATH'] ?? ''): Promise<string | undefined> {
  const places = isAbsolute(name) ? [name] : path.split(delimiter).map((directory) => join(directory, name))
  for (const place of places) if (await isExecutable(place)) return place
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

async function run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = withUmask(options.umask, () => start(command, options))
  let timedOut = false
  const outOfTime = () => {
    timedOut = killGroup(child)
  }
  const { timeout = 0 } = options
  const killer = timeout > 0 ? setTimeout(outOfTime, timeout * 1000) : undefined
  let waiting: NodeJS.Timeout | undefined
  child.once('exit', () => {
    clearTimeout(killer)
    waiting = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, patience)
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  const both: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => void (stdout.push(bytes), both.push(bytes)))
  child.stderr.on('data', (bytes: Buffer) => void (stderr.push(bytes), both.push(bytes)))
  try {
    const [code, signal] = await ended(child)
    const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString()
    return { status: statusOf(code, signal), stdout: text(stdout), stderr: text(stderr), output: text(both), timedOut }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return fail(issues.COMMAND_NOT_STARTED, { command: command[0] ?? '', why: reasons[code] ?? message })
  } finally {
    clearTimeout(killer)
    clearTimeout(waiting)
  }
}

/** A group of its own, so that a timeout ends what the program started, too. */
function start([program = '', ...args]: readonly string[], { cwd, env, uid, gid, input = '' }: RunOptions) {
  try {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, uid, gid, detached: true })
    child.stdin.on('error', () => {}) // a program need not read what it is given
    child.stdin.end(input)
    return child
  } catch (error) {
    return fail(issues.COMMAND_NOT_STARTED, { command: program, why: (error as Error).message })
  }
}

type Ending = readonly [code: number | null, signal: NodeJS.Signals | null]

/** When it is over and all output has come; an error when it never began. */
function ended(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve([code, signal]))
  })
}

/** A child inherits ours, and is started at once. */
function withUmask<T>(umask: number | undefined, start: () => T): T {
  const before = umask === undefined ? undefined : process.umask(umask)
  try {
    return start()
  } finally {
    if (before !== undefined) process.umask(before)
  }
}

/** Whether there was something to kill. */
function killGroup({ pid }: { readonly pid?: number }): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** As a shell counts: a signal is 128 and its number. */
function statusOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : os.signals[signal])
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  ENOEXEC: 'Exec format error',
  EPERM: 'Operation not permitted',
}
