import { resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'

/** A few kills; `npm run faults` has 200, each night with another seed. */
const few = ['--kills', '4', '--seed', '1']

it('loses nothing that was acknowledged, and holds nothing up, when it is killed under work of all kinds', async () => {
  const words = [resolve('bench/faults.js'), ...few]
  const { exitCode, all } = await execa(process.execPath, words, { reject: false, all: true })
  expect(all).toContain('Nothing acknowledged was lost')
  expect(exitCode).toBe(0)
}, 900_000)
