import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CachedRefs } from '../../../src/code/git/cached-refs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const prefix = 'refs/heads/'
let gitDir: string
let asked: number
let remembered: CachedRefs
const list = () =>
  remembered.list(prefix, async () => ({ commits: new Map(), broken: new Map(), isWhole: ++asked > 0 }))
const write = (name: string, oid: string) => writeFileSync(join(gitDir, prefix, name), `${oid}\n`)
/** Has the refs changed then, in seconds since 1970, so many milliseconds before the time that it is now. */
function changed(time: number, ms: number): void {
  for (const name of ['production', '']) utimesSync(join(gitDir, prefix, name), time, time)
  vi.setSystemTime(time * 1000 + ms)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  gitDir = scratchFolder('refs')
  asked = 0
  remembered = new CachedRefs(gitDir)
  mkdirSync(join(gitDir, prefix), { recursive: true })
  write('production', 'a'.repeat(40))
})
afterEach(() => {
  vi.useRealTimers()
})

describe('what git said of refs', () => {
  it('is known a moment after they changed', async () => {
    changed(1_000_000_000.5, 150)
    for (let look = 0; look < 5; look++) await list()
    expect(asked).toBe(1)
  })

  it('is asked again while one may still change without leaving another time', async () => {
    changed(1_000_000_000.5, 50)
    for (let look = 0; look < 3; look++) await list()
    expect(asked).toBe(3)
  })

  it('is asked again for longer where a file system keeps whole seconds', async () => {
    changed(1_000_000_000, 150)
    for (let look = 0; look < 3; look++) await list()
    expect(asked).toBe(3)
  })

  it.each<[string, () => void]>([
    ['moved', () => write('production', 'b'.repeat(40))],
    ['new', () => write('test', 'a'.repeat(40))],
    ['gone', () => rmSync(join(gitDir, prefix, 'production'))],
    ['packed', () => writeFileSync(join(gitDir, 'packed-refs'), '# pack-refs with: peeled fully-peeled sorted\n')],
  ])('is asked again when one is %s', async (_, change) => {
    changed(1_000_000_000.5, 150)
    await list()
    change()
    await list()
    expect(asked).toBe(2)
  })
})
