import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { hasPassedGate, PassedCommits } from '../../../src/deploy/gate/passed-commits.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const id = (letter: string) => letter.repeat(40)
const production = { environment: 'production' }

let folder: string
let passed: PassedCommits
beforeEach(() => {
  folder = join(scratchFolder('passed'), 'passed')
  passed = new PassedCommits(folder)
})

async function note(...moves: readonly (readonly [before: string, after: string])[]): Promise<void> {
  for (const [before, after] of moves)
    await passed.note({ ...production, before: id(before), after: id(after) }, 'passed')
}

describe('commits that have passed', () => {
  it.each<[string, string[], string, boolean]>([
    ['a move', ['ab'], 'ab', true],
    ['moves after one another', ['ab', 'bc', 'cd'], 'ad', true],
    ['a move from what never passed', ['bc'], 'ac', false],
    ['a move back', ['ab'], 'ba', false],
    ['circles', ['ab', 'ba'], 'cb', false],
    ['several ways', ['eb', 'ab', 'db', 'bc'], 'ac', true],
    ['a new branch', ['0a', 'ab'], '0b', true],
    ['a branch that went and came again', ['0b'], 'ab', false],
    ['a way through nothing', ['0b', 'a0'], 'ab', false],
  ])('know %s', async (_, moves, asked, known) => {
    await note(...moves.map((move) => [move[0]!, move[1]!] as const))
    const move = { ...production, before: id(asked[0]!), after: id(asked[1]!) }
    expect(await hasPassedGate(move, [passed])).toBe(known)
    expect(await hasPassedGate({ ...move, environment: 'other' }, [passed])).toBe(false)
  })

  it('are told together by the hook and the server', async () => {
    const other = new PassedCommits(join(folder, 'other'))
    await note(['a', 'b'])
    await other.note({ ...production, before: id('b'), after: id('c') }, 'skipped')
    const move = { ...production, before: id('a'), after: id('c') }
    expect(await hasPassedGate(move, [other, passed])).toBe(true)
    expect(await hasPassedGate(move, [other])).toBe(false)
  })

  it('are bounded: the oldest go, and lines of one commit, too', async () => {
    mkdirSync(folder)
    const { bound } = budgets.push.passedCommits
    for (let each = 0; each < bound; each++) {
      const path = join(folder, `old.${each}`)
      writeFileSync(path, '')
      utimesSync(path, each, each)
    }
    await note(['a', 'b'])
    const names = readdirSync(folder)
    expect(names).toHaveLength(bound * 0.9)
    expect(names).toContain(`production.${id('b')}`)
    expect(names).not.toContain('old.0')
    const befores = Array.from({ length: 150 }, (_, each) => each.toString(16).padStart(40, 'a'))
    for (const before of befores) await passed.note({ ...production, before, after: id('b') }, 'passed')
    expect(await passed.before({ ...production, after: id('b') })).toEqual(befores.slice(50))
  })

  it('are none where something else lies there', async () => {
    mkdirSync(join(folder, `production.${id('b')}`), { recursive: true })
    symlinkSync('/nowhere', join(folder, `production.${id('c')}`))
    for (const after of ['b', 'c']) expect(await passed.before({ ...production, after: id(after) })).toEqual([])
    await note(['a', 'c'])
    expect(readFileSync(join(folder, `production.${id('c')}`), 'utf8')).toBe(`${id('a')} passed\n`)
  })

  it('are not of a file that was cut', async () => {
    await note(['a', 'b'])
    writeFileSync(join(folder, `production.${id('b')}`), id('a').slice(1))
    expect(await hasPassedGate({ ...production, before: id('a'), after: id('b') }, [passed])).toBe(false)
  })
})
