import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CodeTree } from '../../../src/code/environments/code-tree.ts'
import { Digests } from '../../../src/code/environments/digests.ts'
import { openFolderTree } from '../../../src/code/environments/folder-tree.ts'
import { GitLoader } from '../../../src/code/environments/git/git-loader.ts'
import { openGitTree } from '../../../src/code/environments/git/git-tree.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const files = {
  'environment.conf': 'manifest = site.pp\n',
  'modules/demo/manifests/init.pp': 'class demo {}\n',
  'modules/demo/files/a.txt': 'a\n',
  'modules/demo/files/run': '#!/bin/sh\n',
}
const links = {
  'modules/demo/files/link': 'a.txt',
  'modules/demo/files/up': '../manifests/init.pp',
  'modules/again': 'demo',
  'modules/demo/files/loop': 'loop',
  'modules/demo/files/nowhere': 'none',
  'modules/demo/files/outside': '../../../../../../etc/passwd',
  'modules/demo/files/absolute': '/etc/passwd',
}

async function gitTree(): Promise<CodeTree> {
  const repository = controlRepository()
  const commit = repository.push({
    ...files,
    ...Object.fromEntries(Object.entries(links).map(([path, link]) => [path, { link }])),
    'modules/demo/files/run': { script: '#!/bin/sh\n' },
  })
  const source = await openRepository(repository.bare)
  cleanups.push(() => source.close())
  const loaded = await new GitLoader(source, { everything: true }).load(commit)
  return openGitTree({ ...loaded, root: '/code/production', revision: 'x' }, new Digests())
}

async function folderTree(): Promise<CodeTree> {
  const directory = scratchFolder('folder')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(directory, path))
  chmodSync(join(directory, 'modules/demo/files/run'), 0o755)
  return openFolderTree({ directory, root: '/code/production' }, new Digests())
}

const kinds: [string, () => Promise<CodeTree>][] = [
  ['a commit', gitTree],
  ['a folder', folderTree],
]

describe.each(kinds)('the tree of %s', (_, open) => {
  it('lists and reads', async () => {
    const tree = await open()
    expect(tree.root).toBe('/code/production')
    expect(tree.list('')).toEqual(['environment.conf', 'modules'])
    expect(tree.list('modules')).toEqual(['again', 'demo'])
    expect(tree.list('none')).toEqual([])
    expect(tree.list('environment.conf')).toEqual([])
    expect(tree.readText('modules/demo/manifests/init.pp')).toBe('class demo {}\n')
    expect(Buffer.from(tree.read('modules/demo/files/a.txt')!).toString()).toBe('a\n')
    expect([tree.read('modules'), tree.readText('none'), tree.entry('none')]).toEqual([undefined, undefined, undefined])
  })

  it('tells files from directories, and what may be run', async () => {
    const tree = await open()
    expect(tree.entry('')).toMatchObject({ kind: 'directory', path: '' })
    expect(tree.entry('modules/demo/files/run')).toMatchObject({ kind: 'file', executable: true })
    expect(tree.entry('modules/demo/files/a.txt')).toMatchObject({ kind: 'file', executable: false })
    expect(tree.entry('modules/demo/files/a.txt')?.oid).toBe(tree.entry('modules/again/files/link')?.oid)
    expect(tree.entry('modules')?.oid).not.toBe(tree.entry('modules/demo')?.oid)
  })

  it('follows links inside only', async () => {
    const tree = await open()
    expect(tree.readText('modules/demo/files/link')).toBe('a\n')
    expect(tree.readText('modules/demo/files/up')).toBe('class demo {}\n')
    expect(tree.readText('modules/again/files/link')).toBe('a\n')
    expect(tree.list('modules/again')).toEqual(['files', 'manifests'])
    for (const name of ['loop', 'nowhere', 'outside', 'absolute']) {
      const path = `modules/demo/files/${name}`
      expect([name, tree.entry(path), tree.read(path)]).toEqual([name, undefined, undefined])
      expect(tree.linkDestination(path)).toBe(links[path as keyof typeof links])
    }
    expect(tree.linkDestination('modules/demo/files/a.txt')).toBeUndefined()
    expect(tree.readText('../../etc/passwd')).toBeUndefined()
    expect(tree.readText('modules/../../../etc/passwd')).toBeUndefined()
  })

  it('digests bytes', async () => {
    const tree = await open()
    for (const algorithm of ['sha256', 'md5'] as const)
      expect(tree.digest('modules/demo/files/link', algorithm)).toBe(createHash(algorithm).update('a\n').digest('hex'))
    expect(tree.digest('modules', 'sha256')).toBeUndefined()
    expect(tree.time).toBeGreaterThan(1e9)
  })
})

describe('a folder of modules', () => {
  it('has modules that are links to elsewhere, whose own links stay inside', async () => {
    const elsewhere = scratchFolder('elsewhere')
    const modules = scratchFolder('modules')
    writeFileSync(join(elsewhere, 'metadata.json'), '{}')
    symlinkSync('metadata.json', join(elsewhere, 'inside'))
    symlinkSync('/etc/passwd', join(elsewhere, 'outside'))
    symlinkSync(elsewhere, join(modules, 'demo'))
    const tree = openFolderTree({ directory: modules, ofModules: true }, new Digests())
    expect(tree.readText('demo/inside')).toBe('{}')
    expect(tree.entry('demo/outside')).toBeUndefined()
    const strict = openFolderTree({ directory: modules }, new Digests())
    expect(strict.entry('demo')).toBeUndefined()
  })
})

describe('loading commits', () => {
  it('reads only what a push changed, and stays in few packs', async () => {
    const repository = controlRepository()
    const source = await openRepository(repository.bare)
    cleanups.push(() => source.close())
    const read: string[] = []
    const counting = Object.assign(Object.create(source), {
      listTree: (commit: string) => source.listTree(commit),
      commitTime: (commit: string) => source.commitTime(commit),
      readBlob: (oid: string, options: object) => {
        read.push(oid)
        return source.readBlob(oid, options)
      },
    })
    const loader = new GitLoader(counting)
    const texts = new Map<number, string>()
    for (let round = 0; round < 20; round++) {
      const commit = repository.push({
        'a.pp': 'a',
        'b.pp': 'b',
        [`n${round}.pp`]: `${round}`,
        'files/x': 'x',
      })
      const loaded = await loader.load(commit)
      expect(await loader.load(commit)).toBe(loaded)
      expect(loaded.packs.length).toBeLessThanOrEqual(8)
      const tree = openGitTree({ ...loaded, root: '/e', revision: 'x' }, new Digests())
      for (let each = 0; each <= round; each++) expect(tree.readText(`n${each}.pp`)).toBe(`${each}`)
      texts.set(round, tree.readText('a.pp') + tree.readText('b.pp')!)
      expect(() => tree.read('files/x')).toThrow('files/x cannot be read during compilation')
    }
    expect(read).toHaveLength(22)
    expect(new Set(texts.values())).toEqual(new Set(['ab']))
  })
})
