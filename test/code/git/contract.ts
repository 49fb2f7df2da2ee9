import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { iterateContent } from '../../../src/base/bytes/content.ts'
import { hasReplacementCharacter } from '../../../src/base/text/byte-text.ts'
import { findBlob } from '../../../src/code/git/blob-path.ts'
import type { GitObjectSource } from '../../../src/code/git/git-object-source.ts'
import { type ControlRepository, controlRepository, type Files } from '../../support/control-repository.ts'

let ages = Date.parse('2020-01-01')
/** A time that is past, and another one each time, as changes have. */
const agesAgo = () => {
  ages += 10_000
  return new Date(ages)
}

/** What every way to read a repository promises. */
export function readsRepositories(name: string, open: (path: string) => Promise<GitObjectSource>): void {
  describe(`a repository read by ${name}`, () => {
    let repository: ControlRepository
    let source: GitObjectSource
    beforeEach(async () => {
      repository = controlRepository()
      source = await open(repository.bare)
    })
    afterEach(async () => {
      await source.close()
    })
    const push = (files: Files, ...options: string[]) => repository.push(files, 'production', ...options)
    const textAt = async (commit: string, path: string) => {
      const entry = (await source.listTree(commit)).find((each) => each.path === path)
      return entry && (await source.readBlob(entry.oid)).toString()
    }

    it('tells with which commits lines came, where it can', async () => {
      const first = push({ 'a.pp': 'one\ntwo\n', '-b': 'x\n' })
      const second = push({ 'a.pp': 'one\n2\nthree\n' })
      if (!source.blame) return expect(name).toContain('isomorphic')
      const lines = await source.blame(second, 'a.pp', [1, 2, 2, 0, -1, 1.5])
      expect([...lines].map(([line, { commit, author, subject }]) => [line, commit, author, subject])).toEqual([
        [1, first, 'Test', 'A change'],
        [2, second, 'Test', 'A change'],
      ])
      expect([...(await source.blame(second, '-b', [1])).values()].map(({ commit }) => commit)).toEqual([first])
      expect(await source.blame(second, 'a.pp', [])).toEqual(new Map())
      await expect(source.blame(second, 'a.pp', [9])).rejects.toThrow(/has only 3 lines/)
      await expect(source.blame(second, '--help', [1])).rejects.toThrow(/no such path/)
      await expect(source.blame('--help', 'a.pp', [1])).rejects.toThrow(/is not a Git object ID/)
    })

    it('lists files with their modes, sorted by the bytes of their paths', async () => {
      const commit = push({
        'b/x': 'x',
        'b.txt': 'bb',
        run: { script: '#!/bin/sh\n' },
        link: { link: 'b.txt' },
        é: 'e',
      })
      const entries = await source.listTree(commit)
      expect(entries.map(({ path, mode }) => [path, mode])).toEqual([
        ['b.txt', '100644'],
        ['b/x', '100644'],
        ['link', '120000'],
        ['run', '100755'],
        ['é', '100644'],
      ])
      expect(await textAt(commit, 'link')).toBe('b.txt')
      expect(entries.map(({ size }) => size).filter((size) => size !== undefined)).toEqual(
        entries.some(({ size }) => size !== undefined) ? [2, 1, 5, 10, 1] : [],
      )
    })

    it('goes back by first parents, and says where that leads nowhere', async () => {
      const first = push({ a: '1' })
      const second = push({ a: '2' })
      repository.git('checkout', '--quiet', '-b', 'side', first)
      const side = repository.push({ b: '1' }, 'side')
      repository.git('checkout', '--quiet', 'production')
      repository.git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'side')
      const last = push({ a: '1', b: undefined })
      const merge = repository.git('rev-parse', 'HEAD~1')
      const ids = async (from: string, until: string) =>
        (await source.firstParents(from, until))?.map(({ commit }) => commit)
      expect(await ids(last, first)).toEqual([last, merge, second, first])
      expect(await ids(last, merge)).toEqual([last, merge])
      expect(await ids(last, last)).toEqual([last])
      expect(await ids(last, side)).toBeUndefined()
      expect(await ids(first, last)).toBeUndefined()
      const trees = (await source.firstParents(last, first))!.map(({ tree }) => tree)
      expect(trees[0]).toBe(trees[3])
      expect(new Set(trees).size).toBe(3)
      expect(trees[2]).toBe(repository.git('rev-parse', `${second}^{tree}`))
      await expect(source.firstParents('0'.repeat(40), first)).rejects.toThrow(/has no object 0000/)
      await expect(source.firstParents('HEAD', first)).rejects.toThrow(/'HEAD' is not a Git object ID/)
    })

    it('finds where two histories went apart', async () => {
      const base = push({ a: 'base' })
      const main = push({ a: 'main' })
      repository.git('checkout', '--quiet', '-b', 'apart', base)
      const side = repository.push({ b: 'side' }, 'apart')
      repository.git('checkout', '--quiet', '--orphan', 'alien')
      const alien = repository.push({ c: 'alien' }, 'alien')
      repository.git('checkout', '--quiet', 'production')
      expect(await source.mergeBase(main, side)).toBe(base)
      expect(await source.mergeBase(side, main)).toBe(base)
      expect(await source.mergeBase(base, main)).toBe(base)
      expect(await source.mergeBase(main, alien)).toBeUndefined()
      await expect(source.mergeBase('0'.repeat(40), main)).rejects.toThrow(/has no object 0000/)
      await expect(source.mergeBase('--all', main)).rejects.toThrow(/is not a Git object ID/)
    })

    it('reads loose and packed objects alike, and the commit time', async () => {
      const commit = push({ a: 'loose' })
      expect(await textAt(commit, 'a')).toBe('loose')
      repository.gitBare('gc', '-q')
      expect(await textAt(commit, 'a')).toBe('loose')
      expect(await source.commitTime(commit)).toBe(Number(repository.git('log', '-1', '--format=%ct')))
    })

    it('resolves branches, tags of tags, ids and their beginnings; nothing else', async () => {
      const commit = push({ a: '1' })
      repository.git('tag', '-a', 'v1', '-m', 'one')
      repository.git('tag', '-a', 'v1-again', '-m', 'again', 'v1')
      repository.git('push', '-q', 'origin', '--tags')
      for (const ref of ['production', 'refs/heads/production', 'v1', 'v1-again', 'HEAD', commit, commit.slice(0, 10)])
        expect([ref, await source.resolveRef(ref)]).toEqual([ref, commit])
      const tree = repository.git('rev-parse', 'HEAD^{tree}')
      for (const ref of [
        'none',
        '',
        '-x',
        'a\nb',
        'production:a',
        'production^{/x}',
        'production@{1}',
        '~1',
        '../HEAD',
        tree,
        '0'.repeat(40),
      ])
        expect([ref, await source.resolveRef(ref)]).toEqual([ref, undefined])
    })

    it('resolves ancestors', async () => {
      const first = push({ a: '1' })
      const second = push({ a: '2' })
      repository.git('checkout', '-q', '-b', 'side', first)
      const side = repository.push({ b: '1' }, 'side')
      repository.git('checkout', '-q', 'production')
      repository.git('merge', '-q', '--no-edit', 'side')
      const merge = push({ a: '3' })
      const ways = ['', '~0', '^0', '~1^1', '^^', '~2', '~1^2', '~3', `~1^2~1`, '~4', '^2', '~1^3']
      const found = await Promise.all(ways.map((way) => source.resolveRef(`production${way}`)))
      const before = repository.git('rev-parse', 'HEAD~1')
      expect(found).toEqual([
        merge,
        merge,
        merge,
        second,
        second,
        second,
        side,
        first,
        first,
        undefined,
        undefined,
        undefined,
      ])
      expect(await source.resolveRef(`${merge}~1`)).toBe(before)
    })

    it('finds a file of a commit by its path, links followed inside', async () => {
      const commit = push({
        'a/b/c.txt': 'deep',
        'a/here': { link: 'b/c.txt' },
        'a/up': { link: '../a/b' },
        out: { link: '../../etc/passwd' },
        root: { link: '/etc/passwd' },
        circle: { link: 'circle' },
        run: { script: '#!/bin/sh' },
      })
      const deep = repository.git('rev-parse', 'HEAD:a/b/c.txt')
      for (const path of ['a/b/c.txt', 'a/here', 'a/up/c.txt']) expect(await findBlob(source, commit, path)).toBe(deep)
      expect(await findBlob(source, commit, 'run')).toBe(repository.git('rev-parse', 'HEAD:run'))
      for (const path of ['', 'a', 'a/b', 'a/b/c.txt/d', 'none', 'a/none/c.txt', 'out', 'root', 'circle', 'a/up'])
        expect([path, await findBlob(source, commit, path)]).toEqual([path, undefined])
    })

    it('sees a ref that moves, however it is moved', async () => {
      const [one, two] = [push({ a: '1' }), push({ a: '2' })]
      const heads = async () => [...(await source.listRefs('refs/heads/')).commits.entries()]
      const moves: [() => void, unknown][] = [
        [() => repository.gitBare('update-ref', 'refs/heads/production', one), [['refs/heads/production', one]]],
        [() => repository.gitBare('pack-refs', '--all'), [['refs/heads/production', one]]],
        [() => repository.gitBare('update-ref', 'refs/heads/production', two), [['refs/heads/production', two]]],
        [
          () => writeFileSync(join(repository.bare, 'refs/heads/production'), `${one}\n`),
          [['refs/heads/production', one]],
        ],
        [() => repository.gitBare('update-ref', '-d', 'refs/heads/production'), []],
      ]
      for (const [move, after] of moves) {
        move()
        // What changed long ago is not asked for again: as if it had.
        for (const path of readdirSync(repository.bare, { recursive: true, encoding: 'utf8' }))
          if (/^(packed-refs|refs)/.test(path)) utimesSync(join(repository.bare, path), new Date(), agesAgo())
        expect(await heads()).toEqual(after)
        expect(await heads()).toEqual(after)
      }
    })

    it('lists refs as they are now, packed or loose', async () => {
      const one = push({ a: '1' })
      repository.push({ a: '2' }, 'feature/x-1')
      repository.gitBare('pack-refs', '--all')
      const two = repository.push({ a: '3' }, 'feature/x-1')
      expect((await source.listRefs('refs/heads/')).commits).toEqual(
        new Map([
          ['refs/heads/feature/x-1', two],
          ['refs/heads/production', one],
        ]),
      )
      expect((await source.listRefs('refs/none/')).commits).toEqual(new Map())
    })

    it('says which object is missing, of the wrong kind, or no object at all', async () => {
      const commit = push({ a: '1' })
      await expect(source.readBlob('1'.repeat(40))).rejects.toThrow(/has no object 1{40}/)
      await expect(source.listTree('1'.repeat(40))).rejects.toThrow(/has no object 1{40}/)
      await expect(source.readBlob(commit)).rejects.toThrow(`The Git object ${commit} is a commit, not a blob`)
      await expect(source.readBlob('HEAD\nHEAD')).rejects.toThrow(/is not a Git object ID/)
      await expect(source.pin('../../heads/x')).rejects.toThrow(/is not a Git object ID/)
    })

    it('keeps the bytes of names that are not UTF-8, or marks them as inexact', async () => {
      const blob = repository.gitBare('hash-object', '-w', '-t', 'blob', '/dev/null')
      const line = Buffer.concat([
        Buffer.from(`100644 blob ${blob}\t`),
        Buffer.from([0x66, 0xff, 0x66, 0]),
        Buffer.from(''),
      ])
      const tree = execFileSync('git', ['mktree', '-z'], { cwd: repository.bare, input: line, encoding: 'utf8' }).trim()
      const commit = execFileSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', tree, '-m', 'x'],
        {
          cwd: repository.bare,
          encoding: 'utf8',
        },
      ).trim()
      const [name = ''] = (await source.listTree(commit)).map(({ path }) => path)
      expect(hasReplacementCharacter(name) ? 'f\udcfff' : name).toBe('f\udcfff')
    })

    it('reads and streams large blobs, within limits', async () => {
      const bytes = Buffer.alloc(3_000_000, 'plumb')
      const commit = push({ large: bytes, small: 's' })
      const oidOf = new Map((await source.listTree(commit)).map(({ path, oid }) => [path, oid]))
      const large = oidOf.get('large')!
      await expect(source.readBlob(large, { maxBytes: 1000 })).rejects.toThrow('exceeds the limit of 1000')
      const [read, small] = await Promise.all([source.readBlob(large), source.readBlob(oidOf.get('small')!)])
      expect(read.equals(bytes)).toBe(true)
      expect(small.toString()).toBe('s')
      const { size, content } = await source.openBlob(large)
      const hash = createHash('sha256')
      for await (const chunk of iterateContent(content)) hash.update(chunk)
      expect([size, hash.digest('hex')]).toEqual([3_000_000, createHash('sha256').update(bytes).digest('hex')])
    })

    it('tells when the commit of an environment was noted, where it can', async () => {
      const [first, second] = [push({ a: '1' }), push({ a: '2' })]
      if (!source.servedSince) return expect(name).toContain('isomorphic')
      const began = Math.floor(Date.now() / 1000) * 1000
      expect(await source.servedSince('production')).toBeUndefined()
      for (const commit of [first, second]) await source.noteServed('production', commit)
      repository.gitBare('pack-refs', '--all')
      const since = await source.servedSince('production')
      expect(since).toBeGreaterThanOrEqual(began)
      expect(since).toBeLessThanOrEqual(Date.now())
    })

    it('notes what an environment has, hidden as pins are', async () => {
      const [first, second] = [push({ a: '1' }), push({ a: '2' })]
      const noted = async () => [...(await source.listRefs('refs/plumb/environment/')).commits]
      for (const commit of [first, second]) {
        await source.noteServed('production', commit)
        expect(await noted()).toEqual([['refs/plumb/environment/production', commit]])
      }
      await source.noteServed('production', undefined)
      await source.noteServed('never', undefined)
      expect(await noted()).toEqual([])
    })

    it('keeps a pinned commit through a force-push and a gc, and lets it go when unpinned', async () => {
      const first = push({ a: 'first' })
      await source.pin(first)
      repository.git('reset', '-q', '--hard', repository.git('commit-tree', 'HEAD^{tree}', '-m', 'other'))
      const second = push({ a: 'second' }, '--force')
      const prune = () => {
        repository.gitBare('reflog', 'expire', '--expire=now', '--all')
        repository.gitBare('gc', '-q', '--prune=now')
      }
      prune()
      expect((await source.listRefs('refs/plumb/served/')).commits).toEqual(
        new Map([[`refs/plumb/served/${first}`, first]]),
      )
      const later = await open(repository.bare)
      expect(await later.resolveRef(first)).toBe(first)
      expect(await textAt(first, 'a')).toBe('first')
      await later.unpin(first)
      await later.close()
      prune()
      const last = await open(repository.bare)
      expect([await last.resolveRef(first), await last.resolveRef('production')]).toEqual([undefined, second])
      await last.close()
    })

    it('lists each ref as it is while they are packed again and again', async () => {
      const commits = Array.from({ length: 30 }, (_, index) => push({ a: `${index}` }))
      repository.gitBare('update-ref', 'refs/heads/production', commits[0]!)
      let moved = 0
      let done = false
      const wrong: string[] = []
      const follow = async () => {
        while (!done) {
          const least = moved
          const commit = (await source.listRefs('refs/heads/')).commits.get('refs/heads/production')
          if (commits.indexOf(commit ?? '') < least) wrong.push(`${commit} after ${commits[least]}`)
        }
      }
      const following = follow()
      for (const [index, commit] of commits.entries()) {
        await inBackground(repository.bare, ['update-ref', 'refs/heads/production', commit])
        moved = index
        await inBackground(repository.bare, ['pack-refs', '--all'])
      }
      done = true
      await following
      expect(wrong).toEqual([])
    })

    it('reads right while the repository is repacked again and again', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`d${index % 4}/f${index}`, `${index}`]),
      )
      push(files)
      const wrong: string[] = []
      let done = false
      const readAll = async () => {
        while (!done) {
          const commit = (await source.resolveRef('production')) ?? ''
          for (const { path, oid } of await source.listTree(commit)) {
            const bytes = await source.readBlob(oid)
            const blob = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
            if (blob !== oid) wrong.push(path)
          }
        }
      }
      const reader = readAll()
      for (const round of [1, 2, 3, 4]) {
        push({ 'd0/f0': `round ${round}` })
        await inBackground(repository.bare, round % 2 ? ['repack', '-adfq'] : ['gc', '-q', '--prune=now'])
        await inBackground(repository.bare, ['pack-refs', '--all'])
      }
      done = true
      await reader
      expect(wrong).toEqual([])
    })
  })
}

async function inBackground(cwd: string, args: readonly string[]): Promise<void> {
  const { execFile } = await import('node:child_process')
  await new Promise<void>((resolve, reject) => {
    execFile('git', [...args], { cwd }, (error) => (error ? reject(error) : resolve()))
  })
}
