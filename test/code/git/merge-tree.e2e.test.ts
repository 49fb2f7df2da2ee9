import { beforeAll, describe, expect, it } from 'vitest'
import { computeMergeTree, listChangedPaths, readTreeId } from '../../../src/code/git/merge-tree.ts'
import { type ControlRepository, controlRepository, type Files } from '../../support/control-repository.ts'

let repository: ControlRepository
const place = () => ({ gitDir: repository.bare, quarantine: false }) as const
const commits: Record<string, string> = {}

/** A commit on top of another. */
function commitOn(base: string, name: string, files: Files): void {
  repository.git('checkout', '--quiet', '-B', name, commits[base]!)
  commits[name] = repository.push(files, name)
}

beforeAll(() => {
  repository = controlRepository({ a: '1\n2\n3\n4\n5\n', b: 'x\n' })
  commits['base'] = repository.git('rev-parse', 'HEAD')
  commitOn('base', 'first', { a: 'one\n2\n3\n4\n5\n' })
  commitOn('base', 'last', { a: '1\n2\n3\n4\nfive\n', 'with space\n': 'y' })
  commitOn('base', 'conflict', { a: 'eins\n2\n3\n4\n5\n' })
  commitOn('first', 'both', { a: 'one\n2\n3\n4\nfive\n', 'with space\n': 'y' })
  repository.git('checkout', '--quiet', '--orphan', 'unrelated')
  commits['unrelated'] = repository.push({ c: 'z' }, 'unrelated')
})

describe('the tree of a merge', () => {
  it.each<[string, string, string | undefined]>([
    ['first', 'last', 'both'],
    ['last', 'first', 'both'],
    ['base', 'first', 'first'],
    ['first', 'base', 'first'],
    ['first', 'first', 'first'],
    ['first', 'conflict', undefined],
    ['first', 'unrelated', undefined],
  ])('of %s and %s is that of %s', async (one, other, expected) => {
    const tree = expected && (await readTreeId(place(), commits[expected]!))
    expect(await computeMergeTree(place(), commits[one]!, commits[other]!)).toBe(tree)
  })

  it('takes nothing but commit IDs', async () => {
    await expect(computeMergeTree(place(), '--help', commits['base']!)).rejects.toThrow('--help')
    await expect(listChangedPaths(place(), commits['base']!, 'HEAD')).rejects.toThrow('HEAD')
  })
})

it('the changed paths of two commits are as Git has them', async () => {
  expect(await listChangedPaths(place(), commits['base']!, commits['both']!)).toEqual(['a', 'with space\n'])
  expect(await listChangedPaths(place(), commits['both']!, commits['base']!)).toEqual(['a', 'with space\n'])
  expect(await listChangedPaths(place(), commits['base']!, commits['base']!)).toEqual([])
})
