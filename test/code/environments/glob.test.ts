import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expandBraces } from '../../../src/base/text/glob.ts'
import type { CodeTree } from '../../../src/code/environments/code-tree.ts'
import { createSnapshotOpener } from '../../../src/code/environments/environment-snapshot.ts'
import { createFolderMatcher, findMatchingPaths } from '../../../src/code/environments/glob.ts'
import { treeOf } from '../../support/map-tree.ts'
import { fc } from '../../support/properties.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { askRuby } from '../../support/ruby-globs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const files = [
  'a/x',
  'a/y',
  'a/s/x',
  'a/s/y',
  'a/s/a/x',
  'a/.hid',
  'b/x',
  'b/y',
  'b/s/y',
  '.h/x',
  '.h/a/x',
  'x',
  'y',
  'c*/x',
]
let folder: string
let tree: CodeTree

beforeAll(() => {
  folder = scratchFolder('glob')
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  symlinkSync('a', join(folder, 'link'))
  tree = createSnapshotOpener().openTree({ kind: 'folder', directory: folder, root: folder, ofModules: false })
})

/** Pattern, and what Dir.glob of Ruby 3.1 finds, in its order. */
const table: readonly (readonly [pattern: string, paths: readonly string[]])[] = [
  ['a/x', ['a/x']],
  ['a/nope', []],
  ['*/x', ['a/x', 'b/x', 'c*/x', 'link/x']],
  ['*/{y,x}', ['a/y', 'a/x', 'b/y', 'b/x', 'c*/x', 'link/y', 'link/x']],
  ['{b,a}/{y,x}', ['b/y', 'b/x', 'a/y', 'a/x']],
  ['**/{y,x}', ['a/s/a/x', 'a/s/x', 'a/s/y', 'a/x', 'a/y', 'b/s/y', 'b/x', 'b/y', 'c*/x', 'x', 'y']],
  ['**/s/{y,x}', ['a/s/x', 'a/s/y', 'b/s/y']],
  ['**/**/a/x', ['a/s/a/x', 'a/x']],
  ['a/**', ['a/s', 'a/x', 'a/y']],
  ['link/**/x', ['link/s/a/x', 'link/s/x', 'link/x']],
  ['*/s/**/x', ['a/s/a/x', 'a/s/x', 'link/s/a/x', 'link/s/x']],
  ['**/.hid', ['a/.hid']],
  ['**/.*/x', ['.h/x']],
  ['.h/**/x', ['.h/a/x', '.h/x']],
  ['c\\*/x', ['c*/x']],
  ['[ab]/[x-y]', ['a/x', 'a/y', 'b/x', 'b/y']],
  ['{a/s,b}/y', ['a/s/y', 'b/y']],
  ['a/{x', []],
  ['[a/x]', ['a', 'x']],
]

const ruby = recordedAnswers(import.meta.filename, 'Ruby 3.1')

describe('paths that a pattern means', () => {
  it.each(table)('%s', (pattern, paths) => {
    expect(findMatchingPaths(tree, pattern)).toEqual(paths)
  })

  it('are those that Ruby finds', () => {
    const patterns = table.map(([pattern]) => [pattern] as const)
    const found = ruby.one('the table', [files, patterns], () => askRuby(patterns, folder))
    expect(found).toEqual(table.map(([, paths]) => paths))
  })

  it('are those that Ruby finds, for 10,000 random ones, too', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', 's', 'x', 'y', '*', '?', '.h', '[ab]', '[!a]', 'c\\*', 'link', '**', '{a,s}', '{y,x,b}', '{b*,x}'],
    )
    const name = fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(''))
    const pattern = fc.array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 5 })
    const globs = fc.sample(pattern, { numRuns: 10_000, seed: 1 }).map((names) => names.join('/'))
    // Ruby 3.1 loses paths where braces follow any number of folders: it is asked for each alternative.
    const cases = globs.flatMap((glob) => expandBraces(glob).map((each) => [each] as const))
    const answers = ruby.one('random ones', [files, cases], () => askRuby(cases, folder) as string[][])
    const found = new Map(cases.map(([each], at) => [each, answers[at]!]))
    const different = globs.flatMap((glob) => {
      const there = [...new Set(expandBraces(glob).flatMap((each) => found.get(each) ?? []))]
      const here = findMatchingPaths(tree, glob)
      if (glob.includes('{')) for (const paths of [here, there]) paths.sort()
      return JSON.stringify(here) === JSON.stringify(there) ? [] : [{ glob, here, there }]
    })
    expect(different.slice(0, 20)).toEqual([])
    expect(answers.filter((each) => each.length > 0).length).toBeGreaterThan(1000)
  })

  it('take no longer with any number of folders many times', () => {
    const deep = treeOf(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${'d/'.repeat(at)}f`, ''])))
    expect(findMatchingPaths(deep, `${'**/*/'.repeat(200)}nope`)).toEqual([])
  })

  it('are not looked for without end where links double', () => {
    const names = Array.from({ length: 2 }, (_, at) => `l${at}`)
    const doubling: Parameters<typeof findMatchingPaths>[0] = {
      entry: (path) => ({ path, kind: 'directory', executable: false, oid: '' }),
      list: () => names,
      linkDestination: () => '.',
    }
    expect(() => findMatchingPaths(doubling, '*/'.repeat(40))).toThrow(/takes more than 20000000 steps/)
    expect(findMatchingPaths(doubling, '**/l0')).toEqual(['l0'])
  })
})

describe('the first folder on a path that a pattern means', () => {
  it.each<[pattern: string, path: string, names: number | undefined]>([
    ['', 'a/b', 0],
    ['modules', 'modules/a', 1],
    ['modules', 'other/a', undefined],
    ['modules', 'modules', 1],
    ['site-*', 'site-a/b', 1],
    ['site/*/modules', 'site/x/modules/a', 3],
    ['site/**/modules', 'site/modules/a', 2],
    ['site/**/modules', 'site/x/y/modules/a', 4],
    ['{site,third/party}', 'third/party/a', 2],
    ['*', '.git/a', undefined],
  ])('%j of %j', (pattern, path, names) => {
    expect(createFolderMatcher(pattern)(path.split('/'))).toBe(names)
  })
})
