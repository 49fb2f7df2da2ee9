import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const suites = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.test\.[jt]s$/.test(path),
)

/** Suites, and all that they load. */
const modules = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^(?!fixtures\/).*\.[jt]s$/.test(path),
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

/** Calls that wait for a fixed time, without a comment `Wall clock: REASON` at most two lines above. */
function sleeps(text: string): readonly string[] {
  const [, alias = 'setTimeout'] = /\bsetTimeout as (\w+) \} from 'node:timers\/promises'/.exec(text) ?? []
  const call = new RegExp(`(?<![.\\w'])(?:setTimeout|${alias})\\(|\\.waitForTimeout\\(`)
  const lines = text.split('\n')
  return lines.filter(
    (line, at) =>
      call.test(line) &&
      !lines
        .slice(Math.max(0, at - 2), at + 1)
        .join()
        .includes('Wall clock: '),
  )
}

it('no suite waits for a fixed time without a reason', () => {
  const own = ['kinds.test.ts', 'support/eventually.js']
  const found = modules
    .filter((path) => !own.includes(path))
    .flatMap((path) => sleeps(textOf(path)).map((line) => `${path}: ${line.trim()}`))
  expect(found, 'wait for an event, with expect.poll or eventually, or write "Wall clock: REASON" above').toEqual([])
})

it('finds waits in both forms, and reads their reasons', () => {
  const imported = "import { setTimeout as nap } from 'node:timers/promises'\n"
  expect(sleeps(`${imported}await nap(5)`)).toEqual(['await nap(5)'])
  expect(sleeps('new Promise((done) => setTimeout(done, 5))')).toHaveLength(1)
  expect(sleeps(`${imported}// Wall clock: a reason.\nawait nap(5)`)).toEqual([])
})

it.each([
  ['bounds the time that work takes', /expect\((?:performance|Date)\.now\(\) - \w+\)\.toBeLess/],
  ['polls with a bound of its own', /\bvi\.wait(?:For|Until)\(|\btimeout: [\w]+, interval:/],
  ['reads by itself if it is night', /process\.env(?:\.|\[')CI_NIGHTLY/],
  ['has properties with a seed of their own', /from 'fast-check'/],
])('no suite %s', (_, pattern) => {
  const own = ['kinds.test.ts', 'support/nightly.ts', 'support/properties.ts']
  const searched = modules.filter((path) => !own.includes(path) && !path.startsWith('fuzz/'))
  expect(searched.filter((path) => pattern.test(textOf(path)))).toEqual([])
})
