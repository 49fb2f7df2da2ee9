import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { RememberedRefs } from '../../src/git/remembered-refs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const prefix = 'refs/heads/'
let gitDir: string
let asked: number
let remembered: RememberedRefs
const list = () =>
  remembered.list(prefix, async () => ({ commits: new Map(), broken: new Map(), isWhole: ++asked > 0 }))
const write = (name: string, oid: string) => writeFileSync(join(gitDir, prefix, name), `${oid}\n`)

beforeEach(async () => {
  gitDir = scratchFolder('refs')
  asked = 0
  remembered = new RememberedRefs(gitDir)
  mkdirSync(join(gitDir, prefix), { recursive: true })
  write('production', 'a'.repeat(40))
})

describe('what git said of refs', () => {
  it('is known a moment after they changed', async () => {
    await wait(150)
    for (let look = 0; look < 5; look++) await list()
    expect(asked).toBe(1)
  })

  it('is asked again while one may still change without leaving another time', async () => {
    for (let look = 0; look < 3; look++) await list()
    expect(asked).toBe(3)
  })

  it('is asked again for longer where a file system keeps whole seconds', async () => {
    const now = Math.floor(Date.now() / 1000)
    utimesSync(join(gitDir, prefix, 'production'), now, now)
    await wait(150)
    for (let look = 0; look < 3; look++) await list()
    expect(asked).toBe(3)
  })

  it.each<[string, () => void]>([
    ['moved', () => write('production', 'b'.repeat(40))],
    ['new', () => write('test', 'a'.repeat(40))],
    ['gone', () => rmSync(join(gitDir, prefix, 'production'))],
    ['packed', () => writeFileSync(join(gitDir, 'packed-refs'), '# pack-refs with: peeled fully-peeled sorted\n')],
  ])('is asked again when one is %s', async (_, change) => {
    await wait(150)
    await list()
    change()
    await list()
    expect(asked).toBe(2)
  })
})
