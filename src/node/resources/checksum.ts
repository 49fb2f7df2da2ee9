import { createHash, type Hash } from 'node:crypto'
import { digestBytes, digestParts, getDigestRecipe, largeFile } from '../../base/bytes/digest.ts'
import type { FileStat, Files } from '../../machine/system/system.ts'

/** The checksum of bytes in Puppet's notation: `{sha256}5891…`. */
export function computeChecksum(type: string, bytes: Uint8Array): string {
  return `{${type}}${digestBytes(bytes, getDigestRecipe(type))}`
}

/** The checksum of a file's content or times, in Puppet's notation. */
export async function computeFileChecksum(
  files: Files,
  path: string,
  type: string,
  stat: FileStat | undefined,
): Promise<string> {
  if (type === 'none') return '{none}'
  if (type === 'mtime' || type === 'ctime') {
    const time = type === 'mtime' ? stat?.modified : stat?.changed
    return `{${type}}${formatRubyTime(time ?? 0)}`
  }
  if (stat !== undefined && stat.size > largeFile)
    return `{${type}}${await digestParts((await files.readParts(path)) ?? [], getDigestRecipe(type))}`
  return computeChecksum(type, (await files.read(path)) ?? new Uint8Array())
}

/**
 * Passes bytes through, and calls `finished` with their checksum at the end. An error thrown by
 * `finished` fails the reader.
 */
export async function* digestStream(
  type: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  finished: (sum: string) => void,
): AsyncGenerator<Uint8Array> {
  const { hash: algorithm, limit } = getDigestRecipe(type)
  const hash: Hash = createHash(algorithm)
  let seen = 0
  for await (const chunk of chunks) {
    if (seen < limit) hash.update(chunk.subarray(0, Math.min(chunk.length, limit - seen)))
    seen += chunk.length
    yield chunk
  }
  finished(`{${type}}${hash.digest('hex')}`)
}

/** A time in UTC in Ruby's notation: `2026-11-21 10:53:56 +0000`. */
export function formatRubyTime(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +0000')
}

/** The digest algorithm of an entity tag that is a hex digest, by its length; undefined for other tags. */
export function getEtagDigest(tag: string): 'md5' | 'sha1' | 'sha256' | undefined {
  if (!/^[0-9a-f]+$/i.test(tag)) return undefined
  return ({ 32: 'md5', 40: 'sha1', 64: 'sha256' } as const)[tag.length]
}

/** True for a checksum type of content; false for types of times and for `none`. */
export function isContentChecksum(type: string): boolean {
  return !['mtime', 'ctime', 'none'].includes(type)
}
