import { expect, it } from 'vitest'
import { combineIntoBlocks } from '../../../src/base/bytes/byte-blocks.ts'

it.each([
  [[], []],
  [[3], [3]],
  [[5, 5], [10]],
  [
    [4, 4, 4, 1],
    [12, 1],
  ],
  [
    [30, 1, 0],
    [30, 1],
  ],
])('puts pieces of %j bytes together to blocks of %j', async (sizes, expected) => {
  async function* pieces() {
    for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index)
  }
  const blocks: Uint8Array[] = []
  for await (const block of combineIntoBlocks(pieces(), 10)) blocks.push(block)
  expect(blocks.map(({ length }) => length)).toEqual(expected)
  expect(Buffer.concat(blocks)).toEqual(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index))))
})
