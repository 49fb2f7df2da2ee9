import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import type { Files } from '../../machine/system/system.ts'
import { type ChainHead, formatNextLine } from './chain.ts'
import { findLogEnd } from './log-end.ts'
import type { AuditRecord } from './record.ts'
import { getAuditSegment, listAuditSegments } from './segments.ts'

/** Folder, server and rotation of an audit log. */
export interface AuditOptions {
  readonly settings: Pick<Settings, 'auditdir' | 'audit_segment_size' | 'audit_ttl' | 'certname'>
  readonly files: Files
  /** Milliseconds since 1970. */
  now(): number
  say(level: 'warn' | 'error', message: string): void
}

const issues = defineIssues({
  AUDIT_LOG_IN_USE: {
    text: (a: { folder: string }) => `Another process writes the audit log in ${a.folder}`,
    hint: () => 'Each server needs a separate audit log. Set auditdir of this server to another directory.',
  },
})

/** Minimum time in milliseconds between two syncs, and between two attempts to write to a failing disk. */
const pauseMs = 1000

interface PendingRecord {
  readonly record: AuditRecord
  readonly time: string
}

/**
 * Opens the audit log and removes an incomplete line that a crash left at its end. Throws
 * AUDIT_LOG_IN_USE, or the error of the file system.
 */
export async function openAuditLog(options: AuditOptions): Promise<AuditLog> {
  const { settings, files, say } = options
  const folder = settings.auditdir
  await files.makeDirectory(folder, 0o750)
  const lock = new FileLock(join(folder, '.lock'))
  if (!(await lock.tryAcquire())) throwIssue(issues.AUDIT_LOG_IN_USE, { folder })
  let log: AuditLog | undefined
  try {
    const segments = await listAuditSegments(folder, files)
    const { head, segment, size, torn, broken } = await findLogEnd(segments)
    // Remove a segment that was created just before a crash and contains no complete line. The log
    // then continues in the previous segment.
    for (const { path, first } of segments) if (first > (segment?.first ?? 0)) await files.remove(path)
    if (broken) say('error', "The audit log is damaged. Run 'plumb audit verify' to find the damaged record")
    log = new AuditLog(options, lock, head)
    await log.begin(segment && { path: segment.path, size })
    if (torn > 0) {
      say('warn', `The last line of the audit log was incomplete: removed its ${torn} bytes`)
      log.add({ kind: 'mended', bytes: torn })
    }
    await log.prune()
    return log
  } catch (error) {
    await (log ? log.close() : lock.release())
    throw error
  }
}

/**
 * Writes the hash chain of the audit log. `add` only queues a record. Queued records are written in
 * batches, in order, while other work continues, and the file is synced once a second. If the disk
 * fails and the queue is full, further records are only counted, and their number is recorded in
 * the chain.
 */
export class AuditLog {
  readonly #options: AuditOptions
  readonly #lock: FileLock
  #head: ChainHead
  /** Total bytes of the complete lines in the current segment. */
  #size = 0
  #file: FileHandle | undefined
  #waiting: PendingRecord[] = []
  #lost = 0
  #writing: Promise<void> | undefined
  #isUnsynced = false
  #syncing: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #isRefused = false
  #trouble: string | undefined
  #isClosed = false

  constructor(options: AuditOptions, lock: FileLock, head: ChainHead) {
    this.#options = options
    this.#lock = lock
    this.#head = head
  }

  /** Continues a segment after its last complete line, or starts a new segment. */
  async begin(at?: { readonly path: string; readonly size: number }): Promise<void> {
    if (!at) return this.#beginSegment()
    this.#file = await open(at.path, 'r+')
    this.#size = at.size
    await this.#file.truncate(at.size)
  }

  /** Queues a record to be written. */
  add(record: AuditRecord): void {
    if (this.#isClosed) return
    if (this.#waiting.length >= budgets.audit.waiting.bound) this.#lost++
    else this.#waiting.push({ record: truncateRecord(record), time: this.#now() })
    this.#write()
  }

  /** Removes segments older than `audit_ttl`, but never the current segment. */
  async prune(): Promise<void> {
    const { settings, files, now } = this.#options
    if (settings.audit_ttl === 0) return
    const before = now() - settings.audit_ttl * 1000
    for (const { path } of (await listAuditSegments(settings.auditdir, files)).slice(0, -1)) {
      const stat = await files.stat(path)
      if (stat && stat.modified < before) await files.remove(path)
    }
  }

  /** Waits until all added records are on the disk. Returns without waiting while the disk fails. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
    await this.#sync()
  }

  /** Writes the queued records and releases the lock. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#isRefused = false
    if (!this.#writing && this.#waiting.length > 0) this.#write()
    await this.flush().catch((error: unknown) => this.#refused(error))
    clearTimeout(this.#syncing)
    clearTimeout(this.#retry)
    await this.#file?.close()
    await this.#lock.release()
  }

  #now(): string {
    return new Date(this.#options.now()).toISOString()
  }

  #write(): void {
    if (this.#writing || this.#isRefused) return
    this.#writing = this.#writeAll()
      .catch((error: unknown) => this.#refused(error))
      .finally(() => {
        this.#writing = undefined
        // A record may have been added just after the last batch was written.
        if (this.#waiting.length > 0) this.#write()
      })
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0 || this.#lost > 0) {
      if (this.#size >= this.#options.settings.audit_segment_size) await this.#beginSegment()
      const batch = this.#waiting.slice(0, budgets.audit.batch.bound)
      const lost = this.#waiting.length <= budgets.audit.batch.bound ? this.#lost : 0
      const all = lost === 0 ? batch : [...batch, createLostRecord(lost, this.#now())]
      await this.#append(all)
      this.#waiting = this.#waiting.slice(batch.length)
      this.#lost -= lost
      this.#trouble = undefined
    }
  }

  /** Writes lines after the last complete line, overwriting bytes that a failed attempt left there. */
  async #append(records: readonly PendingRecord[]): Promise<void> {
    const { bytes, head } = formatLines(this.#head, records)
    await writeAt(this.#file!, bytes, this.#size)
    this.#size += bytes.length
    this.#head = head
    this.#isUnsynced = true
    this.#syncing ??= setTimeout(() => {
      this.#syncing = undefined
      void this.#sync().catch((error: unknown) => this.#tell(error))
    }, pauseMs).unref()
  }

  /** Switches to a new segment after its first record is on the disk. */
  async #beginSegment(): Promise<void> {
    const { settings, files } = this.#options
    await this.#sync()
    const { hash: previous, seq } = this.#head
    const heading: PendingRecord = {
      record: { kind: 'segment', server: settings.certname, previous },
      time: this.#now(),
    }
    const { bytes, head } = formatLines(this.#head, [heading])
    // A file that a failed attempt left behind has no complete line, so it is overwritten.
    const file = await open(getAuditSegment(settings.auditdir, seq + 1).path, 'w', 0o640)
    try {
      await writeAt(file, bytes, 0)
      await file.datasync()
      await files.sync(settings.auditdir)
    } catch (error) {
      await file.close()
      throw error
    }
    await this.#file?.close()
    this.#file = file
    this.#size = bytes.length
    this.#head = head
  }

  async #sync(): Promise<void> {
    if (!this.#isUnsynced) return
    this.#isUnsynced = false
    await this.#file?.datasync()
  }

  /** Schedules a new attempt after `pauseMs`; new records stay queued until then. */
  #refused(error: unknown): void {
    this.#tell(error)
    this.#isRefused = true
    if (this.#isClosed) return
    this.#retry = setTimeout(() => {
      this.#isRefused = false
      this.#write()
    }, pauseMs).unref()
  }

  /** Logs a disk error, unless the same error was logged just before. */
  #tell(error: unknown): void {
    const trouble = `Could not write the audit log: ${formatError(error)}`
    if (trouble !== this.#trouble) this.#options.say('error', trouble)
    this.#trouble = trouble
  }
}

function formatLines(
  from: ChainHead,
  records: readonly PendingRecord[],
): { readonly bytes: Buffer; readonly head: ChainHead } {
  let head = from
  let text = ''
  for (const { record, time } of records) {
    const next = formatNextLine(head, record, time)
    head = next.head
    text += next.line
  }
  return { bytes: Buffer.from(text), head }
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
}

function createLostRecord(count: number, time: string): PendingRecord {
  return { record: { kind: 'lost', count }, time }
}

/** Truncates the strings of a record to the length limit. */
function truncateRecord(record: AuditRecord): AuditRecord {
  const most = budgets.audit.text.bound
  const exceedsTextLimit = (value: unknown): value is string => typeof value === 'string' && value.length > most
  if (!Object.values(record).some(exceedsTextLimit)) return record
  const entries = Object.entries(record).map(([key, value]) => [
    key,
    exceedsTextLimit(value) ? value.slice(0, most) : value,
  ])
  return Object.fromEntries(entries) as AuditRecord
}
