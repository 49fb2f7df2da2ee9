import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { combineIntoBlocks } from '../../../base/bytes/byte-blocks.ts'
import { createPuppetError, throwIssue } from '../../../base/issue.ts'
import { Slots } from '../../../base/threads/slots.ts'
import type { Files } from '../../../machine/system/system.ts'
import { hasDiskSpace } from '../disk-space.ts'
import type { BucketFile, BucketServices } from './index.ts'
import { bucketIssues } from './issues.ts'

/** A received file. */
export interface Upload {
  readonly sum: string
  /** Path of the temporary file, until it is renamed or removed. */
  readonly temporary: string
}

/**
 * Age in milliseconds at which a temporary file counts as left by a crash. Connections of active uploads time out
 * earlier.
 */
const abandonedMs = 600_000
/**
 * Size of one write in bytes. TLS delivers only 16 KiB at a time, and the cost of a write does not depend on its
 * size.
 */
const blockBytes = 256 * 1024
/** Number of bytes of an upload between two checks of the free space. */
const betweenLooks = 16 * 1024 * 1024

/** Streams uploads to the disk of the bucket, a few at a time, and computes their checksums. */
export class Uploads {
  readonly #files: Files
  readonly #settings: BucketServices['settings']
  readonly #directory: string
  readonly #slots = new Slots({ atOnce: budgets.request.bucketUploads.bound, waiting: 0 }, () =>
    createPuppetError(bucketIssues.BUCKET_BUSY, {}),
  )
  #swept = 0

  constructor(files: Files, settings: BucketServices['settings']) {
    this.#files = files
    this.#settings = settings
    this.#directory = join(settings.bucketdir, '.uploads')
  }

  /**
   * Receives a file, then calls `keep`; afterwards removes the temporary file if it still exists.
   * Throws BUCKET_….
   */
  async receive({ size = 0, content }: BucketFile, keep: (upload: Upload) => Promise<void>): Promise<void> {
    if (size > this.#settings.bucket_max_file_size) this.#tooLarge()
    const giveBack = await this.#slots.take()
    const temporary = join(this.#directory, randomBytes(12).toString('hex'))
    try {
      await this.#files.makeDirectory(this.#directory, 0o750)
      await this.#sweep()
      await this.#requireSpace(size)
      const hash = createHash(this.#settings.digest_algorithm)
      const arrived = { bytes: 0 }
      await this.#files.write(temporary, this.#summed(content, hash, arrived), 0o440)
      await keep({ sum: hash.digest('hex'), temporary })
    } finally {
      giveBack()
      await this.#files.remove(temporary)
    }
  }

  async *#summed(
    content: AsyncIterable<Uint8Array>,
    hash: ReturnType<typeof createHash>,
    arrived: { bytes: number },
  ): AsyncGenerator<Uint8Array> {
    let looked = 0
    for await (const chunk of combineIntoBlocks(content, blockBytes)) {
      arrived.bytes += chunk.length
      if (arrived.bytes > this.#settings.bucket_max_file_size) this.#tooLarge()
      if (arrived.bytes - looked >= betweenLooks) {
        looked = arrived.bytes
        await this.#requireSpace(0)
      }
      hash.update(chunk)
      yield chunk
    }
  }

  #tooLarge(): never {
    return throwIssue(bucketIssues.BUCKET_FILE_SIZE, { most: this.#settings.bucket_max_file_size })
  }

  async #requireSpace(size: number): Promise<void> {
    const wanted = { bytes: size, leave: this.#settings.bucket_min_free_space }
    if (!(await hasDiskSpace(this.#directory, wanted))) throwIssue(bucketIssues.BUCKET_DISK_FULL, {})
  }

  /** Removes temporary files left by a crash. */
  async #sweep(): Promise<void> {
    const now = Date.now()
    if (now - this.#swept < abandonedMs) return
    this.#swept = now
    for (const name of (await this.#files.list(this.#directory)) ?? []) {
      const path = join(this.#directory, name)
      const stat = await this.#files.stat(path)
      if (stat && now - stat.modified > abandonedMs) await this.#files.remove(path)
    }
  }
}
