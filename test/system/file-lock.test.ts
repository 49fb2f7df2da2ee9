import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FileLock } from '../../src/system/file-lock.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const newPath = () => join(scratchFolder('lock'), 'lock')

it('lets one holder in at a time, whoever asks', async () => {
  const path = newPath()
  const locks = Array.from({ length: 4 }, () => new FileLock(path))
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await sleep(1)
    inside--
  }
  await Promise.all(Array.from({ length: 40 }, (_, index) => locks[index % 4]!.run(work)))
  expect(most).toBe(1)
  expect(await readdir(join(path, '..'))).toEqual([])
})

it('is given back after an error', async () => {
  const lock = new FileLock(newPath())
  await expect(lock.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lock.run(async () => 'yes')).toBe('yes')
})

it.each([
  ['a process that is no more', '4194999 12'],
  ['a process whose number was given anew', `${process.pid} 1`],
  ['nobody', 'garbage'],
])('is taken from %s', async (_who, holder) => {
  const path = newPath()
  await writeFile(path, holder)
  const lock = new FileLock(path)
  expect(await lock.tryAcquire()).toBe(true)
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid}\\b`))
  expect(await new FileLock(path).tryAcquire()).toBe(false)
  await lock.release()
  expect(await readdir(join(path, '..'))).toEqual([])
})

it('is taken by one only of many who find it left behind', async () => {
  const path = newPath()
  await writeFile(path, '4194999 12')
  const taken = await Promise.all(Array.from({ length: 20 }, () => new FileLock(path).tryAcquire()))
  expect(taken.filter(Boolean).length).toBe(1)
})

it.each([
  ['is left to one who is slow to take it away', process.pid, [false, false]],
  ['is taken after one who died while taking it away', 4194999, [false, true]],
])('%s', async (_, breaker, taken) => {
  const path = newPath()
  await writeFile(path, '4194999 12')
  const other = new FileLock(`${path}.break`)
  expect(await other.tryAcquire()).toBe(true)
  if (breaker !== process.pid) await writeFile(`${path}.break`, `${breaker} 12`)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(`${path}.break`, longAgo, longAgo)
  expect([await new FileLock(path).tryAcquire(), await new FileLock(path).tryAcquire()]).toEqual(taken)
})
