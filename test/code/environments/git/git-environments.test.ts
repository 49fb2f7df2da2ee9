import { renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readContent } from '../../../../src/base/bytes/content.ts'
import type { Environments } from '../../../../src/code/environments/environments.ts'
import { openGitEnvironments } from '../../../../src/code/environments/git/git-environments.ts'
import type { GitEnvironmentsOptions } from '../../../../src/code/environments/git/git-environments-options.ts'
import { openRepository } from '../../../../src/code/git/repository-opener.ts'
import { type ControlRepository, controlRepository } from '../../../support/control-repository.ts'
import { testSettings } from '../settings.ts'

let repository: ControlRepository
const open: Environments[] = []
beforeEach(() => {
  repository = controlRepository()
})
afterEach(async () => {
  for (const environments of open.splice(0)) await environments.close()
})

async function serve(options: Partial<GitEnvironmentsOptions> = {}): Promise<Environments> {
  const source = await openRepository(repository.bare)
  const environments = await openGitEnvironments({ source, settings: testSettings(), interval: 0, ...options })
  open.push(environments)
  return environments
}

const site = (text: string) => ({ 'manifests/site.pp': text })

async function contentOf(
  environments: Environments,
  name: string,
  codeId: string,
  path: string,
): Promise<string | undefined> {
  const file = await environments.openFile(name, codeId, path)
  if (!file) return undefined
  const content = await readContent(file.content)
  expect(content).toHaveLength(file.size)
  return content.toString()
}

describe('branches as environments', () => {
  it('serves each branch at its commit, named as r10k names it', async () => {
    const production = repository.push(site('1'))
    const feature = repository.push(site('2'), 'feature/new-thing.1')
    const environments = await serve()
    expect(await environments.list()).toEqual(['feature_new_thing_1', 'production'])
    expect((await environments.get('production'))?.codeId).toBe(production)
    expect(await environments.get('none')).toBeUndefined()
    expect(await environments.get('feature/new-thing.1')).toBeUndefined()
    expect(await environments.status()).toMatchObject([
      {
        name: 'feature_new_thing_1',
        ref: 'refs/heads/feature/new-thing.1',
        commit: feature,
        warnings: [],
        refused: undefined,
      },
      { name: 'production', ref: 'refs/heads/production', commit: production, warnings: [] },
    ])
  })

  it('gives an environment to the branch of its very name, else to the first by name, after a restart too', async () => {
    const renamed = repository.push(site('1'), 'team-a')
    repository.push(site('2'), 'team.a')
    const environments = await serve()
    expect((await environments.get('team_a'))?.codeId).toBe(renamed)
    const exact = repository.push(site('3'), 'team_a')
    await environments.refresh()
    for (const each of [environments, await serve()]) {
      expect((await each.get('team_a'))?.codeId).toBe(exact)
      expect((await each.status())[0]?.warnings).toEqual([
        'refs/heads/team-a cannot be served: the environment team_a already belongs to refs/heads/team_a',
        'refs/heads/team.a cannot be served: the environment team_a already belongs to refs/heads/team_a',
      ])
    }
    repository.gitBare('update-ref', '-d', 'refs/heads/team_a')
    await environments.refresh()
    expect((await environments.status()).map(({ name, ref }) => [name, ref])).toEqual([['team_a', 'refs/heads/team-a']])
  })

  it('follows pushes by itself within a second, and gives up branches that are gone', async () => {
    repository.push(site('1'))
    repository.push(site('1'), 'staging')
    const environments = await serve({ interval: 100 })
    const commit = repository.push(site('2'))
    repository.git('push', '-q', 'origin', ':staging')
    await expect.poll(async () => (await environments.get('production'))?.codeId).toBe(commit)
    await expect.poll(() => environments.list()).toEqual(['production'])
  })

  it('keeps the old code when the new cannot be served, and says why', async () => {
    const good = repository.push({ ...site('1'), 'environment.conf': 'manifest = manifests/site.pp\n' })
    const environments = await serve()
    const bad = repository.push({ 'environment.conf': 'manifest\n' })
    await environments.refresh()
    expect((await environments.get('production'))?.codeId).toBe(good)
    expect(await environments.status()).toMatchObject([
      {
        commit: good,
        refused: {
          commit: bad,
          reason:
            'Could not match line manifest (file: /etc/plumb/code/environments/production/environment.conf, line: 1, column: 1)',
        },
      },
    ])
    const better = repository.push({ 'environment.conf': undefined })
    await environments.refresh()
    expect(await environments.status()).toMatchObject([{ commit: better, refused: undefined }])
  })

  it('serves what it has while the repository cannot be read, says so once, and goes on afterwards', async () => {
    const first = repository.push(site('1'))
    // What changed long ago is not asked for again: a git that runs while the repository goes would see no branches.
    for (const path of ['refs/heads/production', 'refs/heads']) utimesSync(join(repository.bare, path), 0, 0)
    const said: string[] = []
    const environments = await serve({ interval: 20, log: (level, message) => level === 'err' && said.push(message) })
    renameSync(repository.bare, `${repository.bare}.away`)
    await expect.poll(() => said.length).toBe(1)
    for (let looks = 0; looks < 3; looks++) await expect(environments.refresh()).rejects.toThrow('for-each-ref failed')
    expect((await environments.get('production'))?.codeId).toBe(first)
    renameSync(`${repository.bare}.away`, repository.bare)
    const second = repository.push(site('2'))
    await expect.poll(async () => (await environments.get('production'))?.codeId).toBe(second)
    expect(said).toEqual([expect.stringContaining(`Could not read the refs of ${repository.bare}`)])
  })

  it('serves an empty repository, and its first branch once there is one', async () => {
    const environments = await serve()
    expect([await environments.list(), await environments.status()]).toEqual([[], []])
    repository.push(site('1'))
    await environments.refresh()
    expect(await environments.list()).toEqual(['production'])
  })

  it('opens any commit, with its files, for as long as it is pinned', async () => {
    const files = (text: string) => ({ 'modules/demo/files/a.txt': text, 'modules/demo/manifests/init.pp': text })
    const first = repository.push(files('first'))
    const environments = await serve()
    repository.git('checkout', '-q', '--orphan', 'fresh')
    const second = repository.push(files('second'), 'fresh')
    repository.git('push', '-q', '--force', 'origin', 'fresh:production', ':fresh')
    await environments.refresh()
    repository.gitBare('reflog', 'expire', '--expire=now', '--all')
    repository.gitBare('gc', '-q', '--prune=now')
    const later = await serve()
    for (const [commit, text] of [
      [first, 'first'],
      [second, 'second'],
    ] as const)
      for (const path of ['modules/demo/files/a.txt', 'modules/demo/manifests/init.pp'])
        expect(await contentOf(later, 'production', commit, path)).toBe(text)
    for (const path of ['modules/demo/files', 'modules/demo/../demo/files/a.txt', 'none', '', '/etc/passwd'])
      expect([path, await contentOf(later, 'production', first, path)]).toEqual([path, undefined])
    for (const codeId of ['0'.repeat(40), 'production', first.slice(0, 10), '', `${first}\n`])
      expect([codeId, await contentOf(later, 'production', codeId, 'modules/demo/files/a.txt')]).toEqual([
        codeId,
        undefined,
      ])
    expect(await contentOf(later, '../x', first, 'modules/demo/files/a.txt')).toBeUndefined()
  })

  it('lets go of pins of commits that are served no more', async () => {
    const first = repository.push(site('1'))
    const second = repository.push(site('2'))
    const pins = () => repository.gitBare('for-each-ref', '--format=%(refname)', 'refs/plumb/served/').split('\n')
    repository.gitBare('update-ref', `refs/plumb/served/${first}`, first)
    await serve({ pinnedFor: -1 })
    expect(pins()).toEqual([`refs/plumb/served/${second}`])
    const clone = repository.git('ls-remote', 'origin')
    expect(clone).not.toContain('refs/plumb')
  })

  it('keeps pins of commits that something kept names, through a gc, until it names them no more', async () => {
    const files = (text: string) => ({ 'modules/demo/files/a.txt': text })
    const commits = ['1', '2', '3'].map((text) => {
      repository.git('checkout', '-q', '--orphan', `old${text}`)
      const commit = repository.push(files(text), `old${text}`)
      repository.gitBare('update-ref', `refs/plumb/served/${commit}`, commit)
      repository.gitBare('update-ref', '-d', `refs/heads/old${text}`)
      return commit
    })
    repository.git('checkout', '-q', '--orphan', 'production')
    const last = repository.push(files('4'))
    const pins = () => repository.gitBare('for-each-ref', '--format=%(objectname)', 'refs/plumb/served/').split('\n')
    const asked: (readonly string[])[] = []
    const named = async (all: readonly string[]) => {
      asked.push(all)
      return new Set([commits[0]!])
    }
    const environments = await serve({ pinnedFor: -1, named })
    expect(new Set(pins())).toEqual(new Set([commits[0], last]))
    await environments.refresh()
    expect(asked.map((each) => [...each].sort())).toEqual([[...commits].sort()])
    repository.gitBare('reflog', 'expire', '--expire=now', '--all')
    repository.gitBare('gc', '-q', '--prune=now')
    expect(await contentOf(environments, 'production', commits[0]!, 'modules/demo/files/a.txt')).toBe('1')
    expect(await contentOf(environments, 'production', commits[1]!, 'modules/demo/files/a.txt')).toBeUndefined()
    await serve({ pinnedFor: -1, named: async () => new Set() })
    expect(pins()).toEqual([last])
  })

  it('serves although it cannot let go of a pin', async () => {
    const first = repository.push(site('1'))
    const second = repository.push(site('2'))
    repository.gitBare('update-ref', `refs/plumb/served/${first}`, first)
    writeFileSync(join(repository.bare, `refs/plumb/served/${first}.lock`), '')
    const said: string[] = []
    const environments = await serve({ pinnedFor: -1, log: (_level, message) => said.push(message) })
    expect((await environments.get('production'))?.codeId).toBe(second)
    expect(said.join()).toContain(`Could not unpin commit ${first}, which is no longer served: `)
  })

  it('pins although another has the lock of the configuration that hides pins', async () => {
    const first = repository.push(site('1'))
    await (await serve()).close()
    writeFileSync(join(repository.bare, 'config.lock'), '')
    const said: string[] = []
    await serve({ log: (_level, message) => said.push(message) })
    expect(said).toEqual([`Environment production is now at ${first}`])
  })

  it('shows every reader one commit at a time while 50 pushes land', async () => {
    const tree = (round: number) =>
      Object.fromEntries(Array.from({ length: 8 }, (_, each) => [`modules/m${each}/manifests/init.pp`, `${round}`]))
    const rounds = new Map([[repository.push(tree(0)), '0']])
    const commits = [repository.git('rev-parse', 'HEAD')]
    for (let round = 1; round <= 50; round++) {
      commits.push(repository.push(tree(round), 'work'))
      rounds.set(commits.at(-1)!, String(round))
    }
    const environments = await serve({ interval: 20 })
    let done = false
    const seen = new Set<string>()
    const reader = async () => {
      while (!done) {
        const environment = (await environments.get('production'))!
        const texts = new Set<string | undefined>()
        for (let each = 0; each < 8; each++) {
          texts.add(environment.code.tree.readText(`modules/m${each}/manifests/init.pp`))
          await new Promise((resolve) => setImmediate(resolve))
        }
        expect([...texts]).toEqual([rounds.get(environment.codeId!)])
        seen.add(environment.codeId!)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const readers = [reader(), reader(), reader()]
    for (const [index, commit] of commits.entries()) {
      repository.gitBare('update-ref', 'refs/heads/production', commit)
      // Most pushes come faster than the server looks; it is given the time to show some of them.
      if (index % 8 === 0) await expect.poll(() => seen.has(commit), { interval: 5 }).toBe(true)
    }
    await environments.refresh()
    expect((await environments.get('production'))?.codeId).toBe(commits.at(-1))
    done = true
    await Promise.all(readers)
    expect(seen.size).toBeGreaterThan(5)
    // The pushes start some hundred processes of git.
  }, 120_000)
})
