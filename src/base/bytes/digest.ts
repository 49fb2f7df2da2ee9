import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { defineIssues, throwIssue } from '../issue.ts'
import { getSystemErrorCode } from '../system-error.ts'

/** An OpenSSL hash function and the number of leading bytes to hash. */
export interface DigestRecipe {
  readonly hash: string
  /** Number of leading bytes; Infinity for all. */
  readonly limit: number
}

/**
 * Maximum size in bytes of a file or blob that is read at once; hashing that many bytes takes a few milliseconds.
 * Larger content is read in parts; a server hashes it on a separate thread.
 */
export const largeFile = 1024 * 1024

/** Size of a part, in bytes. */
const partBytes = 256 * 1024

/**
 * Returns the recipe of a checksum type: `sha256` hashes all bytes, `sha256lite` the first 512, and
 * `etag`, as in OpenVox, is MD5. Puppet: util/checksums.rb.
 */
export function getDigestRecipe(algorithm: string): DigestRecipe {
  if (algorithm === 'etag') return { hash: 'md5', limit: Number.POSITIVE_INFINITY }
  const isLite = algorithm.endsWith('lite')
  return { hash: isLite ? algorithm.slice(0, -4) : algorithm, limit: isLite ? 512 : Number.POSITIVE_INFINITY }
}

/** Hex digest of bytes. */
export function digestBytes(bytes: Uint8Array, { hash, limit }: DigestRecipe): string {
  return createHash(hash).update(bytes.subarray(0, limit)).digest('hex')
}

/** Hex digest of a stream, which is read only up to the limit. */
export async function digestParts(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { hash, limit }: DigestRecipe,
): Promise<string> {
  const sum = createHash(hash)
  let left = limit
  for await (const part of parts) {
    sum.update(part.subarray(0, left))
    left -= Math.min(left, part.length)
    if (left === 0) break
  }
  return sum.digest('hex')
}

/** Error definitions for digests. */
export const digestIssues = defineIssues({
  FILE_NOT_DIGESTED: {
    text: (a: { path: string }) => `${a.path} cannot be read: it is not a regular file, or this user has no permission`,
  },
})

/**
 * Returns the hex digest of a regular file at its real path. Reads the file in parts and blocks the thread. Throws
 * FILE_NOT_DIGESTED for a link or any other path that is not a regular file.
 */
export function digestFile(path: string, { hash, limit }: DigestRecipe): string {
  const sum = createHash(hash)
  const part = Buffer.allocUnsafe(partBytes)
  const file = openRegularFile(path)
  try {
    for (let left = limit; left > 0; ) {
      const length = readSync(file, part, 0, Math.min(part.length, left), null)
      if (length === 0) break
      sum.update(part.subarray(0, length))
      left -= length
    }
  } finally {
    closeSync(file)
  }
  return sum.digest('hex')
}

const unreadable = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENXIO']

function openRegularFile(path: string): number {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (fstatSync(file).isFile() && realpathSync(path) === path) return file
  } catch (error) {
    if (!unreadable.includes(getSystemErrorCode(error) ?? '')) throw error
  }
  if (file !== undefined) closeSync(file)
  return throwIssue(digestIssues.FILE_NOT_DIGESTED, { path })
}
