import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type EncodedRecord, encodeRecord, type QueuedCommand } from './record.ts'
import { getSegmentFile, listQueueSegments } from './segments.ts'

/** Errors of the queue. */
export const queueIssues = defineIssues({
  QUEUE_FULL: {
    text: () => 'The command queue is full',
    hint: () => 'The store is slower than the incoming commands, or unavailable. See the server log.',
  },
})

/** Size in bytes at which a segment is ended and a new segment is started. */
const segmentBytes = 32 * 1024 * 1024

/**
 * Size in bytes up to which a completely applied segment stays on the disk; replacing such a small
 * file is not worthwhile.
 */
const restingBytes = 1024 * 1024

interface PendingWrite {
  readonly record: EncodedRecord
  written(): void
  failed(error: unknown): void
}

/**
 * The queue of commands on the disk: append-only segments, in the order of arrival. Commands that
 * arrive together share one write and one fsync. An acknowledged command survives any crash. A
 * record that a crash left incomplete was not acknowledged; no record follows it in its segment.
 */
export class Journal {
  readonly #folder: string
  #segment: number
  #handle: FileHandle
  #bytes = 0
  #broken = false
  #isResting = false
  #kept = 0
  #waiting: PendingWrite[] = []
  #writing: Promise<void> | undefined

  private constructor(folder: string, segment: number, handle: FileHandle) {
    this.#folder = folder
    this.#segment = segment
    this.#handle = handle
  }

  /**
   * Opens the queue in a folder, and creates the folder if missing. New commands go to a new
   * segment after the existing segments.
   */
  static async open(folder: string): Promise<Journal> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const segment = ((await listQueueSegments(folder)).at(-1) ?? 0) + 1
    return new Journal(folder, segment, await openSegment(folder, segment))
  }

  /**
   * Writes a command and returns its size in the queue in bytes when the command is on the disk.
   * Throws QUEUE_FULL.
   */
  append(command: QueuedCommand): Promise<number> {
    const record = encodeRecord(command)
    if (this.#kept + record.length > budgets.store.queueBytes.bound) throwIssue(queueIssues.QUEUE_FULL, {})
    this.#kept += record.length
    return new Promise((done, failed) => {
      this.#waiting.push({ record, written: () => done(record.length), failed })
      this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
    })
  }

  /** Sets the number of queued bytes. */
  keeps(bytes: number): void {
    this.#kept = bytes
  }

  /** Subtracts applied bytes from the size of the queue. */
  applied(bytes: number): void {
    this.#kept = Math.max(0, this.#kept - bytes)
  }

  /**
   * Starts a new segment if the queue is empty and the current segment is large, so that the
   * current file can be removed. Returns true if a new segment was started.
   */
  async rest(): Promise<boolean> {
    if (this.#kept > 0 || this.#bytes <= restingBytes) return false
    const ended = this.#segment
    this.#isResting = true
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
    await this.#writing
    return this.#segment > ended && !this.#broken
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#handle.close()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0 || this.#isResting) {
      if (this.#isResting) await this.#endSegment()
      const batch = this.#waiting.splice(0)
      if (batch.length === 0) continue
      try {
        if (this.#broken || this.#bytes > segmentBytes) await this.#next()
        await writeAll(
          this.#handle,
          batch.flatMap(({ record }) => record.pieces),
        )
        await this.#handle.datasync()
        for (const { record } of batch) this.#bytes += record.length
        for (const { written } of batch) written()
      } catch (error) {
        // The failed write may have left an incomplete record; nothing may be appended after such a
        // record.
        this.#broken = true
        for (const { record, failed } of batch) {
          this.#kept -= record.length
          failed(error)
        }
      }
    }
  }

  /**
   * Starts a new segment. If the disk is full, the next write tries again; nothing more is appended
   * to the old segment.
   */
  async #endSegment(): Promise<void> {
    this.#isResting = false
    try {
      await this.#next()
    } catch {
      this.#broken = true
    }
  }

  async #next(): Promise<void> {
    // Use each segment number only once: on a full disk, the file may have been created and left
    // empty.
    this.#segment++
    const handle = await openSegment(this.#folder, this.#segment)
    await this.#handle.close()
    this.#handle = handle
    this.#bytes = 0
    this.#broken = false
  }
}

async function openSegment(folder: string, segment: number): Promise<FileHandle> {
  const handle = await open(getSegmentFile(folder, segment), 'wx', 0o600)
  try {
    const directory = await open(folder, 'r')
    await directory.sync().finally(() => directory.close())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Number of pieces in one system call; Linux accepts at most 1,024 (IOV_MAX). */
const piecesPerWrite = 512

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let left = [...pieces]
  while (left.length > 0) {
    const { bytesWritten } = await handle.writev(left.slice(0, piecesPerWrite))
    left = skipBytes(left, bytesWritten)
  }
}

/** Returns the pieces without their first `count` bytes. */
function skipBytes(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  let skipped = count
  let at = 0
  for (; at < pieces.length && pieces[at]!.length <= skipped; at++) skipped -= pieces[at]!.length
  const [first, ...rest] = pieces.slice(at)
  return first ? [first.subarray(skipped), ...rest] : []
}
