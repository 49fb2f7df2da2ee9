import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { constants as os } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { defineIssues, errorOf, fail, type PuppetError } from '../base/issue.ts'
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

function run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = start(command, options)
    const collected = collect(child)
    let timedOut = false
    const killer =
      options.timeout === undefined || options.timeout <= 0
        ? undefined
        : setTimeout(() => {
            timedOut = true
            killGroup(child)
          }, options.timeout * 1000)

    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(killer)
      reject(notStarted(command, error))
    })
    child.once('exit', (code, signal) => {
      clearTimeout(killer)
      const finish = () => resolve({ status: statusOf(code, signal), ...collected(), timedOut })
      const waiting = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, patience)
      child.once('close', () => {
        clearTimeout(waiting)
        finish()
      })
    })
    child.stdin?.on('error', () => {}) // it need not read all that it is given
    child.stdin?.end(options.input ?? '')
  })
}

/** A group of its own, so that a timeout ends what the program started, too. */
function start([program, ...args]: readonly string[], { cwd, env, uid, gid, umask }: RunOptions): ChildProcess {
  const before = umask === undefined ? undefined : process.umask(umask)
  try {
    return spawn(program ?? '', args, {
      cwd,
      env: env === undefined ? process.env : { ...process.env, ...env },
      uid,
      gid,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    return fail(issues.COMMAND_NOT_STARTED, { command: program ?? '', why: (error as Error).message })
  } finally {
    if (before !== undefined) process.umask(before)
  }
}

/** Gathers what a program says; the answer gives it once it has ended. */
function collect(child: ChildProcess): () => Pick<RunResult, 'stdout' | 'stderr' | 'output'> {
  const said = { stdout: '', stderr: '', output: '' }
  const enders = (['stdout', 'stderr'] as const).map((name) => {
    const decoder = new StringDecoder('utf8')
    const add = (text: string) => {
      said[name] += text
      said.output += text
    }
    child[name]?.on('data', (chunk: Buffer) => add(decoder.write(chunk)))
    return () => add(decoder.end())
  })
  return () => {
    for (const end of enders) end()
    return said
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
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

function notStarted([program = '']: readonly string[], error: NodeJS.ErrnoException): PuppetError {
  return errorOf(issues.COMMAND_NOT_STARTED, { command: program, why: reasons[error.code ?? ''] ?? error.message })
}
