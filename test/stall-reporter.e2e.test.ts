import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { scratchFolder } from './support/scratch-folder.ts'

const suites = {
  'blocked.test.ts': `
    it('passes', () => {})
    it('blocks', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) })`,
  'endless.test.ts': `
    await new Promise(() => setInterval(() => {}, 1000))
    it('is never reached', () => {})`,
  'quick.test.ts': `
    it('passes', () => {})`,
}

it('a suite that blocks its process is named and killed, and the other suites run', async () => {
  const folder = join(scratchFolder('stall'), 'suites')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(suites)) writeFileSync(join(folder, name), text)
  writeFileSync(
    join(folder, 'vitest.config.js'),
    "export default { test: { globals: true, pool: 'forks', maxWorkers: 1 } }",
  )
  const reporters = ['default', resolve('test/support/stall-reporter.ts')].map((each) => `--reporter=${each}`)
  const words = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...reporters]
  const { exitCode, all } = await execa(process.execPath, words, {
    env: { STALL_SECONDS: '5', VITEST: undefined, NO_COLOR: '1' },
    reject: false,
    all: true,
    timeout: 120_000,
  })
  expect(exitCode).toBe(1)
  expect(all).toContain('blocked.test.ts: ')
  expect(all).toContain('endless.test.ts: ')
  expect(all).toContain('✓ quick.test.ts (1 test)')
})
