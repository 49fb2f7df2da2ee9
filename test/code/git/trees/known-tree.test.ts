import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CatFile } from '../../../../src/code/git/cat-file.ts'
import { FolderCache } from '../../../../src/code/git/trees/folder-cache.ts'
import { listKnownTree } from '../../../../src/code/git/trees/known-tree.ts'
import { usualLimits } from '../../../../src/code/git/trees/tree-limits.ts'
import { listTree } from '../../../../src/code/git/trees/tree-listing.ts'
import { type ControlRepository, controlRepository, type Files } from '../../../support/control-repository.ts'

const someFiles: Files = {
  'environment.conf': 'modulepath = modules\n',
  'modules/a/manifests/init.pp': 'class a { }\n',
  'modules/a/manifests/deep/er/x.pp': 'class a::deep::er::x { }\n',
  'modules/a.b/files/x': 'x',
  'modules/a/bin/run': { script: '#!/bin/sh\n' },
  'modules/b/link': { link: '../a' },
  'größe/naïve.pp': 'x',
}

let code: ControlRepository
let cache: FolderCache
let readers: { objects: CatFile; sizes: CatFile }
const place = () => ({ gitDir: code.bare, quarantine: false })
const head = () => execFileSync('git', ['-C', code.bare, 'rev-parse', 'production'], { encoding: 'utf8' }).trim()
const whole = (commit: string) => listTree(place(), commit, {}, cache)
const known = (commit: string, limits = usualLimits) => listKnownTree(commit, cache, readers, { limits })

beforeEach(() => {
  code = controlRepository(someFiles)
  cache = new FolderCache()
  readers = { objects: new CatFile(place(), '--batch'), sizes: new CatFile(place(), '--batch-check') }
})
afterEach(() => {
  for (const reader of Object.values(readers)) reader.close()
})

describe('the listing from cached folders', () => {
  it.each<[string, Files]>([
    ['a changed file', { 'modules/a/manifests/init.pp': 'class a { notice(1) }\n' }],
    ['a new file in a new folder', { 'modules/c/d/e/f.pp': 'f' }],
    ['a removed file', { 'modules/a/manifests/deep/er/x.pp': undefined }],
    ['a changed mode', { 'modules/a/manifests/init.pp': { script: 'class a { }\n' } }],
    ['a file that becomes a link', { 'modules/a.b/files/x': { link: 'y' } }],
    ['a name that is not ASCII', { 'größe/ünïcode': 'x' }],
    ['no change', {}],
  ])('is that of git after %s', async (_, files) => {
    await whole(head())
    if (Object.keys(files).length > 0) code.push(files)
    const listed = await known(head())
    expect(listed).toBeDefined()
    expect(listed).toEqual(await listTree(place(), head(), {}))
  })

  it('is that of git without cached folders', async () => {
    expect(await known(head())).toEqual(await whole(head()))
  })

  it('reads only the changed folders', async () => {
    await whole(head())
    code.push({ 'modules/a/manifests/init.pp': '# changed\n' })
    const asked: string[] = []
    const { objects } = readers
    const ask: CatFile['ask'] = (name) => {
      asked.push(name)
      return objects.ask(name)
    }
    const counted = { ask } as CatFile
    await listKnownTree(head(), cache, { ...readers, objects: counted }, {})
    // The root, modules, modules/a and modules/a/manifests.
    expect(asked).toHaveLength(4)
  })

  it('is left to git if a name is not UTF-8', async () => {
    const blob = execFileSync('git', ['-C', code.bare, 'hash-object', '-w', '--stdin'], { input: 'x' })
      .toString()
      .trim()
    const input = Buffer.from(`100644 blob ${blob}\t\xff\xfe\0`, 'latin1')
    const tree = execFileSync('git', ['-C', code.bare, 'mktree', '-z'], { input }).toString().trim()
    expect(await known(tree)).toBeUndefined()
    const [entry] = await listTree(place(), tree, {}, cache)
    expect(entry?.path.isWellFormed()).toBe(false)
    expect(await known(tree)).toBeUndefined()
  })

  it('is left to git if many folders changed', async () => {
    code.push(Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`many/${at}/x`, `${at}`])))
    expect(await known(head())).toBeUndefined()
    const listed = await whole(head())
    expect(await known(head())).toEqual(listed)
  })

  it('is left to git if a commit or a folder is missing', async () => {
    expect(await known('1'.repeat(40))).toBeUndefined()
  })

  it.each([
    ['files', { files: 5 }, 'has more than 5 files and directories'],
    ['depth', { depth: 2 }, 'has directories nested more than 2 levels deep'],
    ['path', { path: 20 }, 'has a path longer than 20 bytes'],
    ['paths', { paths: 30 }, 'has paths that total more than 30 bytes'],
  ])('keeps the limit of %s', async (_, limit, message) => {
    const limits = { ...usualLimits, ...limit }
    await whole(head())
    await expect(known(head(), limits)).rejects.toThrow(message)
    await expect(listTree(place(), head(), { limits })).rejects.toThrow(message)
  })

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('too slow'))
    await expect(listKnownTree(head(), cache, readers, { signal })).rejects.toThrow('too slow')
  })

  it('counts a folder at each of its paths', async () => {
    const blob = execFileSync('git', ['-C', code.bare, 'hash-object', '-w', '--stdin'], { input: 'x' })
      .toString()
      .trim()
    const write = (lines: string) =>
      execFileSync('git', ['-C', code.bare, 'mktree'], { input: lines }).toString().trim()
    let tree = write(`100644 blob ${blob}\tx\n`)
    for (let level = 0; level < 20; level++) tree = write(`040000 tree ${tree}\ta\n040000 tree ${tree}\tb\n`)
    await expect(known(tree)).rejects.toThrow('files and directories')
  })
})
