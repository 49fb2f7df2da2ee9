import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { getSystemErrorCode } from '../../src/base/system-error.ts'
import type { Disk, OpenOptions } from '../../src/ruby/wasi/disk.ts'
import { DiskError } from '../../src/ruby/wasi/errno.ts'
import { createMachineDisk } from '../../src/ruby/wasi/machine-disk.ts'
import { MemoryDisk } from '../../src/ruby/wasi/memory-disk.ts'
import { fc } from '../support/properties.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('memory-disk')
const bytes = (text: string) => new TextEncoder().encode(text)
const toWrite: OpenOptions = {
  reads: true,
  writes: true,
  appends: false,
  creates: true,
  excludes: false,
  truncates: false,
  follows: true,
}

type Operation = (disk: Disk) => unknown

function read(disk: Disk, path: string): string {
  const file = disk.open(path, { ...toWrite, writes: false, creates: false })
  const into = new Uint8Array(100)
  const length = file.read(into, 0)
  file.close()
  return new TextDecoder().decode(into.subarray(0, length))
}

function write(disk: Disk, path: string, text: string, at: number, options: Partial<OpenOptions>): unknown {
  const file = disk.open(path, { ...toWrite, ...options })
  try {
    return [file.write(bytes(text), at), file.status().kind, file.status().size]
  } finally {
    file.close()
  }
}

const inner = fc.constantFrom('a', 'b', 'a/b', 'a/b/c', 'b/c', 'b/c/d')
/** The folder itself is not removed or renamed. */
const path = fc.oneof(inner, fc.constant(''))
const operation: fc.Arbitrary<Operation> = fc.oneof(
  path.map((each) => (disk: Disk) => disk.makeDirectory(each)),
  inner.map((each) => (disk: Disk) => disk.removeDirectory(each)),
  path.map((each) => (disk: Disk) => disk.removeFile(each)),
  path.map((each) => (disk: Disk) => [...disk.list(each)].sort()),
  path.map((each) => (disk: Disk) => disk.status(each, true)?.kind ?? throwMissing()),
  path.map((each) => (disk: Disk) => read(disk, each)),
  fc.tuple(inner, inner).map(
    ([from, to]) =>
      (disk: Disk) =>
        disk.rename(from, to),
  ),
  fc
    .record({
      place: path,
      text: fc.string({ maxLength: 9 }),
      at: fc.nat(12),
      appends: fc.boolean(),
      truncates: fc.boolean(),
      excludes: fc.boolean(),
      creates: fc.boolean(),
    })
    .map(
      ({ place, text, at, ...options }) =>
        (disk: Disk) =>
          write(disk, place, text, at, options),
    ),
)

/** A missing file and a file in the place of its folder are the same. */
function throwMissing(): never {
  throw new DiskError('noent')
}

/** The result of an operation, or `failed`: systems differ in the code of an error with several reasons. */
function tryOperation(disk: Disk, work: Operation): unknown {
  try {
    return work(disk) ?? 'done'
  } catch (error) {
    if (getSystemErrorCode(error) === undefined) throw error
    return 'failed'
  }
}

describe('a disk in memory', () => {
  it('behaves like a folder of this machine', () => {
    let runs = 0
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 25 }), (operations) => {
        const root = join(folder, String(runs++))
        mkdirSync(root)
        const [real, memory] = [createMachineDisk(root), new MemoryDisk(1_000_000)]
        for (const work of operations) expect(tryOperation(memory, work)).toEqual(tryOperation(real, work))
      }),
    )
  })

  it('refuses more than its bound, and takes what was removed again', () => {
    const disk = new MemoryDisk(10_000)
    const fill = () => write(disk, 'large', 'x'.repeat(9000), 0, {})
    expect(fill()).toEqual([9000, 'file', 9000])
    expect(() => write(disk, 'other', 'x'.repeat(1000), 0, {})).toThrow('nospc')
    disk.removeFile('large')
    disk.removeFile('other')
    expect(fill()).toEqual([9000, 'file', 9000])
  })
})
