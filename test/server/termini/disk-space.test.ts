import { expect, it } from 'vitest'
import { isSpaceSufficient } from '../../../src/server/termini/disk-space.ts'

const disk = { bsize: 4096, bavail: 1000, files: 10_000_000, ffree: 5_000_000 }

it.each([
  ['with room', disk, true],
  ['with too few bytes', { ...disk, bavail: 100 }, false],
  ['on which small files have used up what it counts', { ...disk, ffree: 90_000 }, false],
  ['that is small, and has room for files', { ...disk, files: 50_000, ffree: 6000 }, true],
  ['that is small, and has hardly room for files', { ...disk, files: 50_000, ffree: 4000 }, false],
  ['that does not count files', { ...disk, files: 0, ffree: 0 }, true],
])('a disk %s', (_, stats, has) => {
  expect(isSpaceSufficient(stats, { bytes: 1_000_000, leave: 3_000_000 })).toBe(has)
})
