import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError } from '../../base/issue.ts'
import { Slots } from '../../base/threads/slots.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { gitIssues } from './issues.ts'

/** Writes a blob to an empty file, which is given by its file descriptor. */
export type SpoolWriter = (descriptor: number) => Promise<void>

/** Limits for stored files that no reader uses. */
export interface SpoolBounds {
  readonly files: number
  readonly bytes: number
}

const { spooledFiles, spooledBytes, spoolWrites } = budgets.git
const standard: SpoolBounds = { files: spooledFiles.bound, bytes: spooledBytes.bound }
/** Size in bytes of one chunk of a stream. */
const partBytes = 64 * 1024

/**
 * Stores large blobs as files. Each file is written once for all readers, so that a slow reader
 * occupies neither memory nor a process. The files are unlinked, so they disappear when the process
 * ends. Files in use are kept; unused files are kept within the budgets.
 */
export class Spool {
  readonly #folder: string
  readonly #files = new Map<string, Spooled>()
  readonly #unread: LRUCache<string, Spooled>
  readonly #slots = new Slots({ atOnce: spoolWrites.bound })
  #closed = false

  constructor(folder: string, { files, bytes }: SpoolBounds = standard) {
    this.#folder = folder
    this.#unread = new LRUCache({
      max: files,
      maxSize: bytes,
      sizeCalculation: ({ size }) => size,
      dispose: (file, oid, reason) => {
        if (reason === 'evict') void this.#remove(oid, file)
      },
    })
  }

  /**
   * Opens a blob as a stream; the caller must read it to its end or destroy it. `fill` writes the
   * file at the first use. Throws GIT_NOT_SPOOLED.
   */
  async open(oid: string, size: number, fill: SpoolWriter): Promise<Readable> {
    const file = this.#files.get(oid) ?? { filled: this.#fill(oid, size, fill), size, readers: 0 }
    this.#files.set(oid, file)
    this.#unread.delete(oid)
    file.readers++
    const stream = Readable.from(readParts(await file.filled, size), { objectMode: false })
    return stream.once('close', () => {
      if (--file.readers === 0) this.#keep(oid, file)
    })
  }

  /** Closes unused files now, and each other file when its last reader has finished. */
  close(): void {
    this.#closed = true
    for (const [oid, file] of this.#unread.entries()) void this.#remove(oid, file)
    this.#unread.clear()
  }

  async #fill(oid: string, size: number, fill: SpoolWriter): Promise<FileHandle> {
    try {
      const file = await openUnlinkedFile(this.#folder)
      try {
        await this.#slots.run(() => fill(file.fd))
        const { size: written } = await file.stat()
        if (written !== size) throw new Error(`${written} of ${size} bytes were written`)
      } catch (error) {
        await file.close()
        throw error
      }
      return file
    } catch (error) {
      this.#files.delete(oid)
      if (error instanceof PuppetError) throw error
      throw createPuppetError(gitIssues.GIT_NOT_SPOOLED, { oid, why: formatError(error) })
    }
  }

  #keep(oid: string, file: Spooled): void {
    if (this.#closed || file.size > this.#unread.maxSize) void this.#remove(oid, file)
    else this.#unread.set(oid, file)
  }

  async #remove(oid: string, { filled }: Spooled): Promise<void> {
    this.#files.delete(oid)
    await (await filled).close()
  }
}

interface Spooled {
  readonly filled: Promise<FileHandle>
  readonly size: number
  readers: number
}

/** Opens an unlinked file, which disappears when it is closed. */
async function openUnlinkedFile(folder: string): Promise<FileHandle> {
  const path = join(folder, `.spooled-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function* readParts(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(partBytes), 0, partBytes, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
