import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { constants, createGunzip } from 'node:zlib'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { BytePatternSearch, BytePatterns } from '../../../base/bytes/byte-patterns.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'

/** The patterns that a file contains. */
export interface FoundPatterns {
  /** Indices of the patterns in the bytes of the file. */
  readonly plain: ReadonlySet<number>
  /** Indices of the patterns in the decompressed content of a gzip file. */
  readonly decompressed: ReadonlySet<number>
  /** The reason why only a part of the decompressed content was searched; undefined if all was. */
  readonly problem: string | undefined
}

/** Bytes of a file that are in memory. */
const partBytes = 1024 * 1024

/**
 * Searches the first `size` bytes of an open file in parts, since a file may grow faster than it is read. Calls `count`
 * with the size of each part; it returns false to end the search.
 */
export async function searchContent(
  handle: FileHandle,
  size: number,
  patterns: BytePatterns,
  count: (bytes: number) => boolean,
): Promise<FoundPatterns> {
  const plain = patterns.start()
  const decompressed = patterns.start()
  const isGzip = await searchBytes(handle, size, plain, count)
  const problem = isGzip ? await searchGzip(handle, size, decompressed, count) : undefined
  return { plain: plain.found, decompressed: decompressed.found, problem }
}

/** Returns true if the file starts like a gzip file and was read to its end. */
async function searchBytes(
  handle: FileHandle,
  size: number,
  search: BytePatternSearch,
  count: (bytes: number) => boolean,
): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(partBytes)
  let isGzip = false
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(partBytes, size - at), at)
    if (bytesRead === 0) return isGzip
    if (at === 0) isGzip = buffer.subarray(0, bytesRead).indexOf(gzipMagic) === 0
    search.feed(buffer.subarray(0, bytesRead))
    at += bytesRead
    if (!count(bytesRead)) return false
  }
}

const gzipMagic = Buffer.from([0x1f, 0x8b, 8])

/**
 * Returns undefined if the content was searched to its end or to the limit of `count`; otherwise the reason. The content
 * of a truncated file ends without an error.
 */
async function searchGzip(
  handle: FileHandle,
  size: number,
  search: BytePatternSearch,
  count: (bytes: number) => boolean,
): Promise<string | undefined> {
  const source = handle.createReadStream({ start: 0, end: size - 1, autoClose: false })
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: gzipPartBytes })
  const most: number = budgets.machine.searchedGzip.bound
  let left = most
  gunzip.on('data', (part: Buffer) => {
    search.feed(part)
    left -= part.length
    if (left < 0 || !count(part.length)) gunzip.destroy()
  })
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  try {
    await once(gunzip, 'close')
    return left < 0 ? `the content exceeds ${most} bytes` : undefined
  } catch (error) {
    return formatErrorReason(error)
  } finally {
    source.destroy()
  }
}

/** Bytes of decompressed content that are in memory. */
const gzipPartBytes = 64 * 1024
