import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { systemCode } from '../../base/system-error.ts'

/** An identity under which this process holds locks, as their files name it. */
export interface LockHolder {
  /** Takes the identity on before there is a file; answers the file's text. */
  begin(path: string): Promise<string>
  /** Gives the identity up after the file is gone. */
  end(path: string): void
}

/** Names the process and the time it began, since numbers of processes are used again. */
export const byStartTime: LockHolder = { begin: () => identityOf(process.pid), end: () => {} }

/**
 * The process as Puppet names it: its number and nothing else. Puppet takes the lock away from whoever lives under another
 * name than its own (util/pidlock.rb), so this process has a name like Puppet's for as long as it holds a lock.
 */
export const asPuppetNamesIt: LockHolder = {
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

/** Puppet looks for `/puppet(-.*)?$/` in what `ps -o comm=` prints. */
const nameOfHolder = 'puppet-plumb'
const commFile = '/proc/self/comm'
/** Locks that are held, or tried, under that name: like the name of a process, they belong to all of it. */
const held = new Map<string, number>()
const ownName = commOf(commFile)

/** True when the text of a lock's file names a holder who holds the lock no more. */
export async function isLeftBehind(path: string, text: string): Promise<boolean> {
  const pid = Number.parseInt(text, 10)
  if (!isAlive(pid)) return true
  if (!/^\s*\d+\s*$/.test(text)) return text !== (await identityOf(pid))
  return pid === process.pid ? !held.has(path) : !(await isPuppet(pid))
}

/** True for a process that is Puppet by Puppet's own rule, and for any where the system does not say what runs. */
async function isPuppet(pid: number): Promise<boolean> {
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
    // 0 and negative numbers are groups of processes.
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/** The process id, and where Linux says it the time it began. */
async function identityOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return `${pid} ${status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`.trim()
}

function renameProcess(name: string | undefined): void {
  if (name === undefined) return
  try {
    writeFileSync(commFile, name)
  } catch {
    // Another system, or one that does not let us: Puppet then goes by its rule, as with any other program.
  }
}

function commOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
