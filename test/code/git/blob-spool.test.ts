import { ftruncateSync, mkdirSync, readdirSync, readlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { Spool } from '../../../src/code/git/blob-spool.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let folder: string
beforeEach(() => {
  folder = scratchFolder('spool')
})

const text = 'plumb'.repeat(40_000)
const bytes = Buffer.from(text)
const half = 100_000

/** Writes the text in two parts, and counts how often. */
function blob() {
  const filled = { times: 0 }
  const fill = async (descriptor: number) => {
    filled.times++
    writeSync(descriptor, bytes.subarray(0, half))
    writeSync(descriptor, bytes.subarray(half))
  }
  return { filled, fill }
}

async function textOf(stream: Readable): Promise<string> {
  return Buffer.concat(await stream.toArray()).toString()
}

async function gone(stream: Readable): Promise<void> {
  const closed = new Promise((done) => stream.once('close', done))
  stream.destroy()
  await closed
}

/** How many files without a name there are that were made in the folder. */
function heldFiles(): number {
  return readdirSync('/proc/self/fd').filter((each) => {
    try {
      return readlinkSync(`/proc/self/fd/${each}`).startsWith(join(folder, '.spooled-'))
    } catch {
      return false
    }
  }).length
}

describe('a spool', () => {
  it('fills a file once for all who read, and keeps it without a name', async () => {
    const spool = new Spool(folder)
    const { filled, fill } = blob()
    const readers = await Promise.all(Array.from({ length: 20 }, () => spool.open('a', bytes.length, fill)))
    expect(readdirSync(folder)).toEqual([])
    expect(await Promise.all(readers.map(textOf))).toEqual(readers.map(() => text))
    expect(await textOf(await spool.open('a', bytes.length, fill))).toBe(text)
    expect(filled.times).toBe(1)
    spool.close()
  })

  it('tells all who wait what went wrong, and tries again for the next', async () => {
    const spool = new Spool(join(folder, 'not-yet'))
    const { fill } = blob()
    const asked = [1, 2].map(() => spool.open('a', bytes.length, fill))
    for (const each of asked) await expect(each).rejects.toMatchObject({ diagnostic: { code: 'GIT_NOT_SPOOLED' } })
    mkdirSync(join(folder, 'not-yet'))
    const half = spool.open('a', bytes.length + 1, fill)
    await expect(half).rejects.toThrow(`: ${bytes.length} of ${bytes.length + 1} bytes were written`)
    expect(await textOf(await spool.open('a', bytes.length, fill))).toBe(text)
    spool.close()
  })

  it.runIf(process.platform === 'linux')('lets go of what was read longest ago, never of what is read', async () => {
    const spool = new Spool(folder, { files: 2, bytes: 3 * bytes.length })
    const { filled, fill } = blob()
    const read = await spool.open('read', bytes.length, fill)
    for (const oid of ['a', 'b', 'c']) await gone(await spool.open(oid, bytes.length, fill))
    expect(filled.times).toBe(4)
    await expect.poll(heldFiles).toBe(3)
    for (const oid of ['b', 'c', 'read']) await gone(await spool.open(oid, bytes.length, fill))
    expect(filled.times).toBe(4)
    await gone(await spool.open('a', bytes.length, fill))
    expect(filled.times).toBe(5)
    const larger = async (descriptor: number) => ftruncateSync(descriptor, 4 * bytes.length)
    await gone(await spool.open('larger than all', 4 * bytes.length, larger))
    await expect.poll(heldFiles).toBe(3)
    expect(await textOf(read)).toBe(text)
    spool.close()
    await expect.poll(heldFiles).toBe(0)
  })

  it.runIf(process.platform === 'linux')('closed while somebody reads, lets that one read on', async () => {
    const spool = new Spool(folder)
    const stream = await spool.open('a', bytes.length, blob().fill)
    spool.close()
    expect(await textOf(stream)).toBe(text)
    await expect.poll(heldFiles).toBe(0)
  })
})
