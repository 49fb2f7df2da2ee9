import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { combineGzipParts, compressTail } from '../../../src/base/bytes/gzip-parts.ts'

const sizes = [0, 1, 2, 7, 255, 256, 65_535, 65_536, 1_000_003]

it.each(sizes)('an end of %i bytes is one member of gzip behind any beginning', (size) => {
  const end = Buffer.from(randomBytes(size).toString('hex').slice(0, size))
  const packed = compressTail(end, 3)
  for (const before of [0, 1, 13, 300, 40_000]) {
    const beginning = Buffer.from('{"tags":[]}'.repeat(before).slice(0, before))
    // The checksum and the size are looked at, and nothing may stand behind.
    expect(Buffer.compare(gunzipSync(combineGzipParts(beginning, packed)), Buffer.concat([beginning, end]))).toBe(0)
  }
})
