import { randomBytes } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { Slots } from '../../base/threads/slots.ts'
import { isAbandonedLock, type LockHolder, startTimeHolder } from './lock-holder.ts'

const issues = defineIssues({
  LOCK_HELD: {
    text: (a: { file: string; seconds: number }) => `Could not lock ${a.file} within ${a.seconds} seconds`,
    hint: () => 'Another process holds the lock. Try again later.',
  },
})

/** Milliseconds to wait for a lock. Locks are held only for short work. */
const patience = 30_000
/**
 * Milliseconds after which a process that is removing a stale lock is itself considered dead: a
 * removal takes almost no time.
 */
const breaking = 5_000
/**
 * Milliseconds after which an empty lock file is considered stale. Puppet creates the file before
 * it writes its PID.
 */
const writingMs = 5_000

/**
 * A lock that excludes other holders in this process and in all processes of this machine. The lock
 * file identifies its holder, so that the lock of a killed process can be removed.
 */
export class FileLock {
  readonly #path: string
  readonly #holder: LockHolder
  /** Runs the holders of the lock in this process one after another. */
  readonly #own = new Slots({ atOnce: 1 })

  constructor(path: string, holder: LockHolder = startTimeHolder) {
    this.#path = path
    this.#holder = holder
  }

  /** Runs `work` while holding the lock. Throws LOCK_HELD if another holder does not release the lock in time. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#own.run(() => this.#locked(work))
  }

  /** Acquires the lock if it is free. Returns true if the lock was acquired; the caller must then call `release`. */
  async tryAcquire(): Promise<boolean> {
    return (await this.#take()) || ((await this.#breakIfStale()) && (await this.#take()))
  }

  /** True if a running process holds the lock. */
  async isHeld(): Promise<boolean> {
    const text = await readFile(this.#path, 'utf8').catch(() => undefined)
    return text !== undefined && !(await isStale(this.#path))
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true })
    this.#holder.end(this.#path)
  }

  async #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire()
    try {
      return await work()
    } finally {
      await this.release()
    }
  }

  async #acquire(): Promise<void> {
    const deadline = Date.now() + patience
    for (let wait = 2; !(await this.#take()); wait = Math.min(wait * 2, 50)) {
      if (await this.#breakIfStale()) continue
      if (Date.now() > deadline) throwIssue(issues.LOCK_HELD, { file: this.#path, seconds: patience / 1000 })
      await sleep(wait)
    }
  }

  async #take(): Promise<boolean> {
    return createLockFile(this.#path, this.#holder)
  }

  /**
   * Removes a stale lock. A second lock protects the removal, so that two processes cannot remove a
   * lock that was just acquired.
   */
  async #breakIfStale(): Promise<boolean> {
    if (!(await isStale(this.#path))) return false
    const breaker = `${this.#path}.break`
    if (!(await createLockFile(breaker, startTimeHolder))) {
      const begun = await stat(breaker).catch(() => undefined)
      const isOld = begun !== undefined && Date.now() - begun.mtimeMs > breaking
      if (isOld && (await isStale(breaker))) await rm(breaker, { force: true })
      return false
    }
    try {
      if (await isStale(this.#path)) await rm(this.#path, { force: true })
      return true
    } finally {
      await rm(breaker, { force: true })
    }
  }
}

/** Creates a lock file with its content in one atomic step. Returns false if the file exists. */
async function createLockFile(path: string, holder: LockHolder): Promise<boolean> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  let taken = false
  try {
    await writeFile(beside, await holder.begin(path), { mode: 0o600 })
    await link(beside, path)
    taken = true
  } catch (error) {
    if (getSystemErrorCode(error) !== 'EEXIST') throw error
  } finally {
    if (!taken) holder.end(path)
    await rm(beside, { force: true })
  }
  return taken
}

async function isStale(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  if (text !== '') return isAbandonedLock(path, text)
  const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() }
  return Date.now() - mtimeMs > writingMs
}
