import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { corpusFolder, corpusOf } from './corpus.js'
import { judge } from './judge.js'
import { runTarget } from './run-target.js'
import type { Target } from './target.js'
import { targetNames } from './targets.js'

const files = (folder: string) => readdirSync(new URL(folder, import.meta.url)).map((name) => name.replace(/\.js$/, ''))

describe('the targets', () => {
  it('are all in the table', () => {
    expect([...targetNames].sort()).toEqual(files('./targets').sort())
    expect(targetNames).toEqual(expect.arrayContaining(readdirSync(corpusFolder)))
  })

  it.each(targetNames)('%s takes its seeds and all that was ever found', async (name) => {
    const { default: target } = (await import(`./targets/${name}.js`)) as { default: Target }
    expect(target.name).toBe(name)
    const corpus = corpusOf(target)
    // What once took too long took many times what it may; other tests run beside this one.
    const patient = { ...target, freeMs: 5 * (target.freeMs ?? 50), nsPerByte: 5 * (target.nsPerByte ?? 1000) }
    expect(corpus.length).toBeGreaterThan(0)
    expect(
      corpus.flatMap(({ name: input, bytes }) => {
        const verdict = judge(patient, bytes)
        return verdict ? [[input, verdict]] : []
      }),
    ).toEqual([])
  })
})

describe('the fuzzer', () => {
  const found = async (toy: string, seed: string) => {
    const findings: { kind: string; bytes: string }[] = []
    const file = new URL(`./toys/${toy}.js`, import.meta.url).href
    const less = toy === 'endless' ? { hangMs: 1000 } : { memoryMiB: 64 }
    // Time enough for any machine: it ends with the first finding.
    const totals = await runTarget({ file, seed, seconds: 120, mostFindings: 1, ...less }, ({ verdict, bytes }) => {
      findings.push({ kind: verdict.kind, bytes: bytes.toString('latin1') })
    })
    return { findings, totals }
  }

  it('finds its way by branches, and takes away what a finding does not need', async () => {
    expect((await found('magic', '1')).findings).toEqual([{ kind: 'error', bytes: 'FUZ!' }])
  })

  it.each([
    ['slow', 'time'],
    ['endless', 'hang'],
    ['hungry', 'memory'],
  ])('finds what is %s', async (toy, kind) => {
    expect((await found(toy, '1')).findings).toMatchObject([{ kind }])
  })

  it('tries the same inputs for the same seed', async () => {
    const [one, two, other] = await Promise.all(
      ['7', '7', '8'].map(async (seed) => {
        const file = new URL('./targets/json.js', import.meta.url).href
        return (await runTarget({ file, seed, seconds: 120, runs: 400, distill: true }, () => {})).distilled
      }),
    )
    expect(one).toEqual(two)
    expect(one).not.toEqual(other)
  })
})
