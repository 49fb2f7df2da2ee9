import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import type { EnvironmentStatus, Environments } from '../../../src/code/environments/environments.ts'
import { openGitEnvironments } from '../../../src/code/environments/git/git-environments.ts'
import { openIsomorphicRepository } from '../../../src/code/git/isomorphic-repository.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type Entry, type HandMade, handMade } from '../git/hand-made.ts'
import { testSettings } from './settings.ts'

let repository: ControlRepository
const open: Environments[] = []
const said: string[] = []
beforeEach(() => {
  repository = controlRepository()
  said.length = 0
})
afterEach(async () => {
  for (const environments of open.splice(0)) await environments.close()
})

async function serve(given: Readonly<Record<string, string>> = {}, isomorphic = false): Promise<Environments> {
  const source = await (isomorphic ? openIsomorphicRepository : openRepository)(repository.bare)
  const log = (level: string, message: string) => void said.push(`${level}: ${message}`)
  const environments = await openGitEnvironments({ source, settings: testSettings(given), interval: 0, log })
  open.push(environments)
  return environments
}

const site = (text: string) => ({ 'manifests/site.pp': text })
const made = () => handMade(repository, 'code.git')
const statusOf = async (environments: Environments, name: string): Promise<EnvironmentStatus | undefined> =>
  (await environments.status()).find((each) => each.name === name)

interface Case {
  readonly make: (made: HandMade) => string
  readonly says: string | RegExp
  readonly settings?: Readonly<Record<string, string>>
}

const folders = (depth: number, { tree, blob }: HandMade): string => {
  let oid = tree([['100644', 'f', blob('x')]])
  for (let level = 0; level < depth; level++) oid = tree([['40000', 'd', oid]])
  return oid
}
const withName = (name: string) => ({
  make: ({ tree, blob }: HandMade) => tree([['40000', 'a', tree([['100644', name, blob('x')]])]]),
  says: `'a/${name}' is not a valid file path`,
})

const cases: Readonly<Record<string, Case>> = {
  'a bomb of a million files': {
    make: ({ bomb, blob, tree }) => bomb(10, 6, tree([['100644', 'f', blob('x')]])),
    says: `has more than ${budgets.push.files.bound} files and directories`,
  },
  'a bomb of folders without a file': {
    make: ({ bomb, tree }) => bomb(10, 12, tree([])),
    says: `has more than ${budgets.push.files.bound} files and directories`,
  },
  'more files than a setting allows': {
    make: ({ tree, blob }) => tree(['a', 'b', 'c'].map((name) => ['100644', name, blob('x')] as const)),
    says: 'has more than 2 files and directories',
    settings: { max_environment_files: '2' },
  },
  'folders that are too deep': {
    make: (made) => folders(200, made),
    says: 'has directories nested more than 128 levels deep: d/d/d/',
  },
  'a path that is too long': {
    make: ({ tree, blob }) => tree([['100644', 'x'.repeat(100_000), blob('x')]]),
    says: 'has a path longer than 4096 bytes: xxx',
  },
  'a name of two dots': withName('..'),
  'a name of one dot': withName('.'),
  'a folder of git': withName('.git'),
  'a folder of git for machines without case': withName('.GIT'),
  'a name with slashes': withName('b/../../c'),
  'a name that begins with a slash': withName('/etc'),
  'a path that is there twice': {
    make: ({ tree, blob }) =>
      tree([
        ['100644', 'a', blob('x')],
        ['100644', 'a', blob('y')],
      ]),
    says: "'a' occurs twice",
  },
  'a path that is a file and a folder': {
    make: ({ tree, blob }) =>
      tree([
        ['100644', 'a', blob('x')],
        ['40000', 'a', tree([['100644', 'b', blob('y')]])],
      ]),
    says: "'a' occurs twice",
  },
  'a path that is a folder and a file': {
    make: ({ tree, blob }) =>
      tree([
        ['40000', 'a', tree([['100644', 'b', blob('y')]])],
        ['100644', 'a', blob('x')],
      ]),
    says: "'a' occurs twice",
  },
  'a link of five thousand bytes': {
    make: ({ tree, blob }) => tree([['120000', 'a', blob('x'.repeat(5000))]]),
    says: "The symbolic link 'a' has 5000 bytes, which exceeds the limit of 4096",
  },
  'a manifest of five million bytes': {
    make: ({ tree, blob }) => tree([['100644', 'a.pp', blob('#'.repeat(5_000_000))]]),
    says: "'a.pp' has 5000000 bytes, which exceeds the limit of 4194304 for parsed files",
  },
  'an environment.conf of five million bytes': {
    make: ({ tree, blob }) => tree([['100644', 'environment.conf', blob('#'.repeat(5_000_000))]]),
    says: "'environment.conf' has 5000000 bytes, which exceeds the limit",
  },
  'more bytes than a setting allows': {
    make: ({ tree, blob }) => tree([['100644', 'a', blob('x'.repeat(1001))]]),
    says: 'The loaded files of the commit total 1001 bytes, which exceeds the limit of 1000',
    settings: { max_environment_bytes: '1000' },
  },
  'more files than all environments may have': {
    make: ({ tree, blob }) => tree(['a', 'b', 'c'].map((name) => ['100644', name, blob('x')] as const)),
    says: /With the commit \w+, all environments together would exceed 4 files/,
    settings: { max_served_files: '4' },
  },
  'more bytes than all environments may have': {
    make: ({ tree, blob }) => tree([['100644', 'a', blob('x'.repeat(1000))]]),
    says: /With the commit \w+, all environments together would exceed 900 bytes/,
    settings: { max_served_bytes: '900' },
  },
}

describe('what a commit may have', () => {
  it.each(Object.entries(cases))('refuses %s, and touches nothing else, after a restart neither', async (_, each) => {
    const good = repository.push(site('1'))
    const other = repository.push(site('1'), 'zebra')
    const environments = await serve(each.settings)
    const before = process.memoryUsage().rss
    const bad = made().commit(each.make(made()))
    repository.gitBare('update-ref', 'refs/heads/production', bad)
    const next = repository.push({}, 'zebra')
    expect(next).not.toBe(other)
    await environments.refresh()
    const { commit, refused } = (await statusOf(environments, 'production'))!
    expect(commit).toBe(good)
    expect(refused?.commit).toBe(bad)
    expect(refused?.reason).toEqual(
      typeof each.says === 'string' ? expect.stringContaining(each.says) : expect.stringMatching(each.says),
    )
    expect((await environments.get('zebra'))?.codeId).toBe(next)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
    const later = await serve(each.settings)
    if (!/max_served/.test(Object.keys(each.settings ?? {}).join()))
      expect((await statusOf(later, 'production'))?.refused?.reason).toBe(refused?.reason)
    expect((await later.get('zebra'))?.codeId).toBe(next)
  })

  it.each(['a bomb of a million files', 'folders that are too deep', 'a path that is there twice'])(
    'refuses %s without git, too',
    async (name) => {
      const { make, says } = cases[name]!
      repository.gitBare('update-ref', 'refs/heads/production', made().commit(make(made())))
      repository.push(site('1'), 'zebra')
      const environments = await serve({}, true)
      expect((await statusOf(environments, 'production'))?.refused?.reason).toContain(says)
      expect(await environments.list()).toEqual(['zebra'])
    },
  )

  it('refuses a commit whose message has two million bytes', async () => {
    repository.push(site('1'), 'zebra')
    const { commit, tree } = made()
    repository.gitBare('update-ref', 'refs/heads/production', commit(tree([]), 'x'.repeat(2_000_000)))
    const environments = await serve()
    expect((await statusOf(environments, 'production'))?.refused?.reason).toMatch(/which exceeds the limit of 1048576$/)
    expect(await environments.list()).toEqual(['zebra'])
  })

  it('serves names that only look odd', async () => {
    const { commit, tree, blob } = made()
    const names = ['...', '.gitignore', '__proto__', 'a\nb', 'a\\b', 'constructor', 'é'].sort()
    const root = tree(names.map((name) => ['100644', name, blob(name)] as const))
    repository.gitBare('update-ref', 'refs/heads/production', commit(root))
    const environment = await (await serve()).get('production')
    expect(environment?.code.tree.list('')).toEqual(names)
    expect(names.map((name) => environment?.code.tree.readText(name))).toEqual(names)
  })
})

describe('a file of an old commit', () => {
  it('is not sought in folders without measure', async () => {
    repository.push(site('1'))
    const { blob, tree, commit } = made()
    const file = blob('x')
    const name = (each: number) => `f${String(each).padStart(6, '0')}`
    const wide = (count: number) =>
      commit(tree(Array.from({ length: count }, (_, each) => ['100644', name(each), file] as const)))
    const [large, tooLarge] = [wide(200_000), wide(1_200_000)]
    const environments = await serve()
    expect((await environments.openFile('production', large, name(199_999)))?.size).toBe(1)
    await expect(environments.openFile('production', tooLarge, name(0))).rejects.toThrow(
      `which exceeds the limit of ${budgets.request.searchedFolders.bound}`,
    )
    // Each link goes a long way round.
    const loop = `${'a/../'.repeat(300)}`
    const links = Array.from({ length: 30 }, (_, each): Entry => ['120000', `l${each}`, blob(`${loop}l${each + 1}`)])
    const round = commit(tree([['40000', 'a', tree([])], ...links, ['100644', 'l30', file]]))
    expect(await environments.openFile('production', round, 'l0')).toBeUndefined()
    expect((await environments.openFile('production', round, 'l30'))?.size).toBe(1)
  })
})

describe('how many branches are served', () => {
  it('keeps those that are served, says why the others are not, and serves them when there is room', async () => {
    for (const branch of ['m', 'production', 'z']) repository.push(site('1'), branch)
    const settings = { max_environments: '3' }
    const environments = await serve(settings)
    for (const branch of ['a', 'b']) repository.push(site('1'), branch)
    const moved = repository.push(site('2'), 'z')
    await environments.refresh()
    // After a restart, too, and although others come first by name.
    for (const each of [environments, await serve(settings)]) {
      expect(await each.list()).toEqual(['m', 'production', 'z'])
      expect((await each.get('z'))?.codeId).toBe(moved)
      expect((await statusOf(each, 'a'))?.refused?.reason).toBe('The limit of 3 environments is reached')
    }
    expect(said.filter((line) => line.includes('branches'))).toEqual(
      Array(2).fill('err: 2 branches cannot be served, including a: The limit of 3 environments is reached'),
    )
    repository.gitBare('update-ref', '-d', 'refs/heads/m')
    await environments.refresh()
    expect(await environments.list()).toEqual(['a', 'production', 'z'])
  })

  it('looks at no more branches than it has a budget for, and follows those that are served', async () => {
    const commit = repository.push(site('1'))
    const environments = await serve({ max_environments: '2' })
    const count = budgets.environment.refs.bound + 10
    const refs = Array.from({ length: count }, (_, each) => `${commit} refs/heads/a${String(each).padStart(6, '0')}\n`)
    writeFileSync(join(repository.bare, 'packed-refs'), `# pack-refs with: sorted \n${refs.join('')}`)
    const next = repository.push(site('2'))
    await environments.refresh()
    expect(await environments.list()).toEqual(['a000000', 'production'])
    for (const each of [environments, await serve({ max_environments: '2' })])
      expect((await each.get('production'))?.codeId).toBe(next)
  }, 300_000)
})

describe('how many commits are pinned', () => {
  it('lets go of the ones that were served longest ago', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const commits = [repository.push(site('0'))]
    const environments = await serve({ max_pinned_commits: '3' })
    for (let round = 1; round <= 6; round++) {
      commits.push(repository.push(site(String(round))))
      await environments.refresh()
      vi.setSystemTime(Date.now() + 5)
    }
    const pins = repository.gitBare('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/plumb/served/').split('\n')
    expect(pins.sort()).toEqual(commits.slice(-4).sort())
  })
})

describe('a ref that is broken', () => {
  const refs: Readonly<Record<string, readonly [write: (made: HandMade) => string, why: string | undefined]>> = {
    'to a missing object': [() => `${'1'.repeat(40)}\n`, `there is no object ${'1'.repeat(40)}`],
    'to a blob': [({ blob }) => blob('x'), 'is a blob, not a commit'],
    'to a tree': [({ tree }) => tree([]), 'is a tree, not a commit'],
    'with garbage': [() => 'garbage\n', 'it is a broken ref'],
    'that is empty': [() => '', 'it is a broken ref'],
    'that leads to itself': [() => 'ref: refs/heads/bad\n', 'it points to no object'],
  }

  it.each(Object.entries(refs))('%s is reported, and stops nothing', async (_, [write, why]) => {
    const good = repository.push(site('1'), 'bad')
    repository.push(site('1'))
    const next = repository.push(site('2'), 'work')
    const environments = await serve()
    const before = (await environments.get('bad'))?.codeId
    repository.gitBare('update-ref', '-d', 'refs/heads/work')
    writeFileSync(join(repository.bare, 'refs/heads/bad'), write(made()))
    repository.gitBare('update-ref', 'refs/heads/production', next)
    await environments.refresh()
    expect((await environments.get('production'))?.codeId).toBe(next)
    expect((await environments.get('bad'))?.codeId).toBe(before)
    const later = await serve()
    // As if the server had never ended.
    expect((await later.get('bad'))?.codeId).toBe(before)
    expect((await later.get('production'))?.codeId).toBe(next)
    for (const each of [environments, later])
      expect((await statusOf(each, 'bad'))?.refused).toEqual({
        commit: undefined,
        reason: expect.stringContaining(`The ref refs/heads/bad is damaged: `),
      })
    expect((await statusOf(later, 'bad'))?.refused?.reason).toContain(why)
    writeFileSync(join(repository.bare, 'refs/heads/bad'), `${good}\n`)
    await later.refresh()
    expect((await later.get('bad'))?.codeId).toBe(good)
  })

  it.each(Object.entries(refs))('%s stops nothing without git either', async (_, [write]) => {
    repository.push(site('1'))
    writeFileSync(join(repository.bare, 'refs/heads/bad'), write(made()))
    const environments = await serve({}, true)
    expect(await environments.list()).toEqual(['production'])
    expect((await statusOf(environments, 'bad'))?.refused?.reason).toContain('The ref refs/heads/bad is damaged: ')
  })

  it('by its name, or as a pin, stops nothing', async () => {
    const commit = repository.push(site('1'))
    const odd = ['refs/heads/odd name', 'refs/heads/a..b', `refs/plumb/served/${'2'.repeat(40)}`]
    for (const path of odd) {
      await mkdir(dirname(join(repository.bare, path)), { recursive: true })
      writeFileSync(join(repository.bare, path), path.includes('heads') ? commit : 'garbage')
    }
    const environments = await serve()
    expect(await environments.list()).toEqual(['production'])
    expect((await environments.status()).map(({ name }) => name)).toEqual(['a__b', 'odd_name', 'production'])
  })

  it('lets a server start whose refs cannot be read at all, and serve when they can', async () => {
    const commit = repository.push(site('1'))
    writeFileSync(join(repository.bare, 'packed-refs'), 'garbage\n')
    const environments = await serve()
    expect(await environments.list()).toEqual([])
    expect(said.join()).toContain('err: Could not read the refs of')
    writeFileSync(join(repository.bare, 'packed-refs'), '')
    await environments.refresh()
    expect((await environments.get('production'))?.codeId).toBe(commit)
  })
})
