import { randomBytes } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, fail } from '../../base/issue.ts'
import { systemCode } from '../../base/system-error.ts'
import { byStartTime, isLeftBehind, type LockHolder } from './lock-holder.ts'

const issues = defineIssues({
  LOCK_HELD: {
    text: (a: { file: string; seconds: number }) => `Could not lock ${a.file} within ${a.seconds} seconds`,
    hint: () => 'Another process holds the lock. Try again later.',
  },
})

/** The time for which a process waits for another, in milliseconds; the work under a lock is short. */
const patience = 30_000
/** Milliseconds after which whoever takes away a dead process's lock may be dead, too: the taking takes no time. */
const breaking = 5_000
/** Milliseconds of age from which an empty lock is nobody's: Puppet makes the file first, then writes its number. */
const writingMs = 5_000

/**
 * A lock that one holder at a time has, in this process and among all on this machine. The file names its holder, so that
 * the lock of a killed process is taken away.
 */
export class FileLock {
  readonly #path: string
  readonly #holder: LockHolder
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string, holder: LockHolder = byStartTime) {
    this.#path = path
    this.#holder = holder
  }

  /** Does `work` under the lock. Throws LOCK_HELD when others hold the lock too long. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(() => this.#locked(work))
    this.#last = mine.catch(() => {})
    return mine
  }

  /** Takes the lock if nobody has it; true for a lock that was taken, and must be given back by `release`. */
  async tryAcquire(): Promise<boolean> {
    return (await this.#take()) || ((await this.#breakIfStale()) && (await this.#take()))
  }

  /** Gives the lock back. */
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
      if (Date.now() > deadline) fail(issues.LOCK_HELD, { file: this.#path, seconds: patience / 1000 })
      await sleep(wait)
    }
  }

  async #take(): Promise<boolean> {
    return take(this.#path, this.#holder)
  }

  /** Under a lock of its own, so that nobody takes away the lock of one who has just come. */
  async #breakIfStale(): Promise<boolean> {
    if (!(await isStale(this.#path))) return false
    const breaker = `${this.#path}.break`
    if (!(await take(breaker, byStartTime))) {
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

/** Makes a lock's file with its whole text at once, or not at all; true where made. */
async function take(path: string, holder: LockHolder): Promise<boolean> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  let taken = false
  try {
    await writeFile(beside, await holder.begin(path), { mode: 0o600 })
    await link(beside, path)
    taken = true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  } finally {
    if (!taken) holder.end(path)
    await rm(beside, { force: true })
  }
  return taken
}

async function isStale(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  if (text !== '') return isLeftBehind(path, text)
  const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() }
  return Date.now() - mtimeMs > writingMs
}
