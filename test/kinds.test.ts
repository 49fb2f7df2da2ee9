import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const suites = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.test\.[jt]s$/.test(path),
)

const textOf = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')

it('suites are named after what they need: NAME.test.ts, NAME.e2e.test.ts, NAME.oracle.test.ts', () => {
  const others = suites.filter((path) => !/^(?:[\w-]+\/)*[\w-]+(?:\.e2e|\.oracle)?\.test\.ts$/.test(path))
  expect(others).toEqual([])
})

it('in-process suites need nothing that may be missing, so none is left out', () => {
  const inProcess = suites.filter((path) => !/\.(?:e2e|oracle)\.test\.ts$|^(?:kinds|machine)\.test\.ts$/.test(path))
  expect(inProcess.filter((path) => /\bwithout\('|\bwithoutPuppet\b|\bhasPuppet\b/.test(textOf(path)))).toEqual([])
})
