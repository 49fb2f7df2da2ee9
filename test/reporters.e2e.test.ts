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

/** Runs suites with options of Vitest; returns the exit status and the output. */
async function runSuites(folder: string, options: readonly string[], env: Record<string, string | undefined>) {
  writeFileSync(
    join(folder, 'vitest.config.js'),
    "export default { test: { globals: true, pool: 'forks', maxWorkers: 1 } }",
  )
  const words = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const { exitCode, all } = await execa(process.execPath, [...words, ...options], {
    env: { ...env, VITEST: undefined, NO_COLOR: '1' },
    reject: false,
    all: true,
    timeout: 120_000,
  })
  return { exitCode, all }
}

it('a suite that blocks its process is named and killed, and the other suites run', async () => {
  const folder = join(scratchFolder('stall'), 'suites')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(suites)) writeFileSync(join(folder, name), text)
  const reporters = ['default', resolve('test/support/stall-reporter.ts')].map((each) => `--reporter=${each}`)
  const { exitCode, all } = await runSuites(folder, reporters, { STALL_SECONDS: '5' })
  expect(exitCode).toBe(1)
  expect(all).toContain('blocked.test.ts: ')
  expect(all).toContain('endless.test.ts: ')
  expect(all).toContain('✓ quick.test.ts (1 test)')
})

const failing = {
  'rejecting.test.ts': `
    it('passes', async () => {
      void Promise.reject(new Error('nobody waits for this'))
      await new Promise((resolve) => setImmediate(resolve))
    })`,
  'ending.test.ts': `
    it('is never done', () => process.kill(process.pid, 'SIGKILL'))`,
}

it('the summary of CI names errors outside of tests, and suites without a result', async () => {
  const folder = join(scratchFolder('unhandled'), 'suites')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(failing)) writeFileSync(join(folder, name), text)
  const report = join(folder, 'report.json')
  const reporters = [`--reporter=${resolve('test/support/unhandled-reporter.ts')}`, '--reporter=json']
  const { exitCode } = await runSuites(folder, [...reporters, `--outputFile=${report}`], {
    UNHANDLED_FILE: `${report}.unhandled`,
  })
  expect(exitCode).toBe(1)
  const summary = await execa(process.execPath, ['scripts/ci-summary.js', '1', report], { reject: false })
  expect(summary.exitCode).toBe(1)
  expect(summary.stdout).toContain('failed: outside of tests: Error: nobody waits for this')
  expect(summary.stdout).toContain('rejecting.test.ts ran')
  expect(summary.stdout).toContain('Caused by: Error: Worker exited unexpectedly')
  expect(summary.stdout).toMatch(/failed: outside of tests: .*ending\.test\.ts has no result/)
})
