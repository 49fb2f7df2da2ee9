import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { isWindows } from '../windows/machine-path.ts'
import { canBeAgentProcess } from '../windows/process-name.ts'

/** The way in which this process identifies itself in its lock files. */
export interface LockHolder {
  /** Prepares the process before the lock file is created. Returns the content for the file. */
  begin(path: string): Promise<string>
  /** Reverts `begin` after the lock file is removed. */
  end(path: string): void
}

/** Identifies the process by PID and start time, because the system reuses PIDs. */
export const startTimeHolder: LockHolder = { begin: () => readProcessIdentity(process.pid), end: () => {} }

/**
 * Identifies the process by PID only, as Puppet does. Puppet removes a lock if the process with
 * that PID does not have a name that Puppet recognizes (util/pidlock.rb), so this process uses a
 * name that Puppet recognizes while it holds a lock.
 */
export const puppetNameHolder: LockHolder = {
  async begin(path) {
    if (held.size === 0) renameProcess(nameOfHolder)
    held.set(path, (held.get(path) ?? 0) + 1)
    return String(process.pid)
  },
  end(path) {
    const left = (held.get(path) ?? 0) - 1
    if (left > 0) held.set(path, left)
    else held.delete(path)
    if (held.size === 0) renameProcess(ownName)
  },
}

/** Process name while a lock is held. Puppet matches the output of `ps -o comm=` with `/puppet(-.*)?$/`. */
const nameOfHolder = 'puppet-plumb'
const commFile = '/proc/self/comm'
/**
 * Number of locks, by path, that are held or being acquired under `nameOfHolder`; the name applies
 * to the whole process.
 */
const held = new Map<string, number>()
const ownName = readProcessName(commFile)

/** True if the content of a lock file names a process that no longer holds the lock. */
export async function isAbandonedLock(path: string, text: string): Promise<boolean> {
  const pid = Number.parseInt(text, 10)
  if (!isAlive(pid)) return true
  if (!/^\s*\d+\s*$/.test(text))
    return text !== (await readProcessIdentity(pid)) || (isWindows && !(await canBeAgentProcess(pid)))
  return pid === process.pid ? !held.has(path) : !(await isPuppetProcess(pid))
}

/**
 * True if Puppet would recognize the process as a Puppet process; also true if the system does not
 * report the name of the process.
 */
async function isPuppetProcess(pid: number): Promise<boolean> {
  if (isWindows) return canBeAgentProcess(pid)
  try {
    const [name, args] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    return (name.includes('ruby') && args.includes('puppet')) || /puppet(-.*)?$/.test(name.trim())
  } catch {
    return true
  }
}

function isAlive(pid: number): boolean {
  try {
    // 0 and negative numbers refer to process groups.
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return getSystemErrorCode(error) === 'EPERM'
  }
}

/** The PID and, on Linux, the start time of a process; a text that is not a number alone, as Puppet writes it. */
async function readProcessIdentity(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return `${pid} ${status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'}`
}

function renameProcess(name: string | undefined): void {
  if (name === undefined) return
  try {
    writeFileSync(commFile, name)
  } catch {
    // The system does not support or permit this: Puppet then sees the usual process name.
  }
}

function readProcessName(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
