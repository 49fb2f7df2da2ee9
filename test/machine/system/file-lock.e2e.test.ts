import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FileLock } from '../../../src/machine/system/file-lock.ts'
import { puppetNameHolder } from '../../../src/machine/system/lock-holder.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const newPath = () => join(scratchFolder('lock'), 'lock')

it('lets one holder in at a time, whoever asks', async () => {
  const path = newPath()
  const locks = Array.from({ length: 4 }, () => new FileLock(path))
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await endOfTurn()
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

describe('a lock that is shared with Puppet', () => {
  const ownName = () => readFileSync('/proc/self/comm', 'utf8').trim()

  it('names the process as Puppet does, which has a name that Puppet leaves alone while it holds it', async () => {
    const path = newPath()
    const [before, lock] = [ownName(), new FileLock(path, puppetNameHolder)]
    expect(await lock.tryAcquire()).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(String(process.pid))
    expect(ownName()).toMatch(/puppet(-.*)?$/)
    expect(await new FileLock(path, puppetNameHolder).tryAcquire()).toBe(false)
    expect(ownName()).toMatch(/puppet(-.*)?$/)
    await lock.release()
    expect(ownName()).toBe(before)
  })

  // What runs, by its name and words: Puppet's own rule, util/pidlock.rb.
  it.each([
    ['puppet', [], false],
    ['puppet-plumb', [], false],
    ['ruby3.1', ['/usr/bin/puppet'], false],
    ['ruby3.1', ['irb'], true],
    ['node', ['puppet'], true],
    ['puppets', [], true],
  ])('of a living %s %j is left behind: %s', async (name, words, leftBehind) => {
    const path = newPath()
    const program = join(path, '..', name)
    await copyFile('/bin/sh', program)
    const running = spawn(program, ['-c', 'echo; read never', ...words], {
      stdio: ['pipe', 'pipe', 'ignore'],
      shell: false,
    })
    await once(running.stdout, 'data')
    await writeFile(path, String(running.pid))
    expect(await new FileLock(path, puppetNameHolder).tryAcquire()).toBe(leftBehind)
    running.kill()
  })

  it.each([
    ['a process that is no more', '4194999', 0, true],
    ['this process, which does not hold it', String(process.pid), 0, true],
    ['a group of processes', '0', 0, true],
    ['who has yet to write who it is', '', 0, false],
    ['who never wrote who it was', '', 60_000, true],
  ])('is taken from %s', async (_who, text, age, taken) => {
    const path = newPath()
    await writeFile(path, text)
    const written = new Date(Date.now() - age)
    await utimes(path, written, written)
    expect(await new FileLock(path, puppetNameHolder).tryAcquire()).toBe(taken)
  })
})
