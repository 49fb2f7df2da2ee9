import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discardContent, readContent } from '../../../src/base/bytes/content.ts'
import { CachedRefs } from '../../../src/code/git/cached-refs.ts'
import { openIsomorphicRepository } from '../../../src/code/git/isomorphic-repository.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { readsRepositories } from './contract.ts'
import { withGit } from './with-git.ts'

readsRepositories('git', (path) => openRepository(path))
readsRepositories('isomorphic-git', openIsomorphicRepository)

describe('opening a repository', () => {
  it('says where there is none', async () => {
    const empty = scratchFolder('none')
    for (const path of [empty, join(empty, 'nowhere')])
      await expect(openRepository(path)).rejects.toThrow(`There is no Git repository at ${path}`)
    await expect(openIsomorphicRepository(empty)).rejects.toThrow('There is no Git repository at')
  })

  it('starts no process for each small blob', async () => {
    const { folder, bare, push } = controlRepository()
    const commit = push({ 'a.txt': 'small' })
    await withGit(folder, `echo x >> ${folder}/started`, async () => {
      const source = await openRepository(bare)
      const entries = await source.listTree(commit)
      const sizes = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const { size, content } = await source.openBlob(entries[0]!.oid)
          return (await readContent(content)).length === size
        }),
      )
      await source.close()
      expect(sizes).not.toContain(false)
      expect(readFileSync(join(folder, 'started'), 'utf8').length / 2).toBeLessThan(10)
    })
  })

  it('starts no process to see that no ref has moved', async () => {
    const { bare, push } = controlRepository()
    push({ a: '1' })
    for (const path of ['refs/heads', 'refs/heads/production']) utimesSync(join(bare, path), new Date(), new Date(0))
    let asked = 0
    const refs = new CachedRefs(bare)
    const ask = async () => ({
      commits: new Map([['refs/heads/production', String(++asked)]]),
      broken: new Map<string, string>(),
      isWhole: true,
    })
    const list = () => refs.list('refs/heads/', ask)
    for (let look = 0; look < 5; look++) await list()
    expect(asked).toBe(1)
    push({ a: '2' })
    await list()
    expect(asked).toBe(2)
  })

  it('does not take a folder inside a repository for one', async () => {
    const { folder, git } = controlRepository()
    git('commit', '-q', '--allow-empty', '-m', 'x')
    const inside = mkdtempSync(join(folder, 'work', 'inside-'))
    await expect(openRepository(inside)).rejects.toThrow('There is no Git repository')
  })

  it('opens a working copy, and a linked worktree', async () => {
    const { folder, git, push } = controlRepository()
    const commit = push({ a: '1' })
    git('worktree', 'add', '-q', '../linked', '-b', 'linked')
    for (const path of ['work', 'linked']) {
      const source = await openRepository(join(folder, path))
      expect(await source.resolveRef('HEAD')).toBe(commit)
      await source.close()
    }
  })

  it('without git, refuses what it would misread, and says what to install', async () => {
    const { folder, git, gitBare, push } = controlRepository()
    push({ a: '1' })
    git('worktree', 'add', '-q', '../linked', '-b', 'linked')
    await expect(openIsomorphicRepository(join(folder, 'linked'))).rejects.toMatchObject({
      diagnostic: { code: 'GIT_UNUSABLE', hint: expect.stringContaining('apt install git') },
    })
    git('clone', '-q', '--bare', '--shared', '../code.git', '../shared.git')
    await expect(openIsomorphicRepository(join(folder, 'shared.git'))).rejects.toThrow(
      'uses objects of another repository',
    )
    gitBare('init', '-q', '--bare', '--object-format=sha256', '../sha256.git')
    await expect(openIsomorphicRepository(join(folder, 'sha256.git'))).rejects.toThrow('SHA-256')
  })

  it('with git, goes on when a child of ours dies', async () => {
    const { bare, push } = controlRepository()
    const commit = push({ a: '1', b: '2' })
    const source = await openRepository(bare)
    const entries = await source.listTree(commit)
    const readAll = () => Promise.all(entries.map(async ({ oid }) => (await source.readBlob(oid)).toString()))
    expect(await readAll()).toEqual(['1', '2'])
    const children = () => childrenOf(bare, 'cat-file --batch')
    const before = children()
    expect(before).toHaveLength(2)
    const underway = readAll()
    for (const child of before) process.kill(child)
    expect(await underway).toEqual(['1', '2'])
    expect(await readAll()).toEqual(['1', '2'])
    await source.close()
    await expect(source.readBlob(entries[0]!.oid)).rejects.toThrow('closed')
    await expect.poll(children).toEqual([])
  })

  it('with git, gives no half of a blob for a whole one', async () => {
    const { folder, bare, push } = controlRepository()
    const commit = push({ large: Buffer.alloc(3_000_000, 'plumb') })
    // As if the disk had failed in the middle.
    const half = `case "$*" in *'cat-file --batch' | *'cat-file blob '*) $git "$@" | head -c 2000000; exit 128 ;; esac`
    await withGit(folder, half, async () => {
      const source = await openRepository(bare)
      const { oid } = (await source.listTree(commit))[0]!
      const read = source.readBlob(oid).then(({ length }) => length)
      await expect(read).rejects.toThrow('exited with status 128')
      const opened = source.openBlob(oid).then(({ size }) => size)
      await expect(opened).rejects.toMatchObject({ diagnostic: { code: 'GIT_NOT_SPOOLED' } })
      await source.close()
    })
  })

  it('with git, writes a large blob to one file, however many read it', async () => {
    const { bare, push } = controlRepository()
    const commit = push({ large: Buffer.alloc(3_000_000, 'plumb') })
    const source = await openRepository(bare)
    const { oid } = (await source.listTree(commit))[0]!
    const one = async (each: number) => {
      const { size, content } = await source.openBlob(oid)
      // Some go away without reading.
      if (each % 3 === 0) return discardContent(content)
      const read = (await readContent(content)).toString()
      expect(read === 'plumb'.repeat(size / 5)).toBe(true)
    }
    await Promise.all(Array.from({ length: 60 }, (_, each) => one(each)))
    expect(childrenOf(bare, 'cat-file')).toHaveLength(1)
    await source.close()
  })

  it('with git, reads SHA-256 and borrowed objects', async () => {
    const { folder, git, gitBare, push } = controlRepository()
    const commit = push({ a: '1' })
    git('clone', '-q', '--bare', '--shared', '../code.git', '../shared.git')
    const shared = await openRepository(join(folder, 'shared.git'))
    expect(await shared.listTree(commit)).toHaveLength(1)
    gitBare('init', '-q', '--bare', '--object-format=sha256', '../sha256.git')
    const sha256 = await openRepository(join(folder, 'sha256.git'))
    expect(sha256.objectFormat).toBe('sha256')
    await Promise.all([shared.close(), sha256.close()])
  })
})

/** Processes that this one started and whose command line holds all of that. */
function childrenOf(...words: string[]): number[] {
  return execFileSync('ps', ['-ww', '-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => words.every((word) => line.includes(word)))
    .map((line) => Number.parseInt(line, 10))
}
