import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { type DeployOrder, type DeployParts, deployCommit } from '../../../src/deploy/synthesis/commit-deployment.ts'
import { getSourceCommit } from '../../../src/deploy/synthesis/deployed-commit.ts'
import { readResolution } from '../../../src/deploy/synthesis/stored-deployments.ts'
import { type ControlRepository, controlRepository, type Files } from '../../support/control-repository.ts'
import { type GivenModules, givenModules, type ModuleFiles, readLines } from './given-modules.ts'

let repository: ControlRepository
let parts: DeployParts
let fetcher: GivenModules
beforeEach(async () => {
  repository = controlRepository()
  ;({ parts, fetcher } = await partsOf(repository))
})
afterEach(() => parts.source.close())

const modules: Readonly<Record<string, ModuleFiles>> = {
  'acme/ntp': { 'manifests/init.pp': 'class ntp {}\n', 'metadata.json': '{}' },
  'ntp@2.0.0': { 'manifests/init.pp': 'class ntp { notice(2) }\n' },
  motd: { 'manifests/init.pp': 'class motd {}\n' },
  empty: {},
}

async function partsOf({ bare }: ControlRepository) {
  const place = { gitDir: bare, quarantine: false }
  const given = givenModules(place, modules)
  const source = await openRepository(bare)
  return { fetcher: given, parts: { source, place, fetcher: given, read: readLines } }
}

function deploy(commit: string, order: Partial<DeployOrder> = {}): Promise<string> {
  return deployCommit(parts, { commit, branch: 'production', environment: 'production', ...order })
}

const filesOf = (commit: string) => repository.gitBare('ls-tree', '-r', '--name-only', commit).split('\n')

describe('the commit with the modules of a Puppetfile', () => {
  it('has the files of the branch and of each module, and says what it was made of', async () => {
    const commit = repository.push({
      Puppetfile: "mod 'acme/ntp', '1.0.0'\nmod 'motd', at: 'ext/deep/motd'\n",
      'manifests/site.pp': '',
      'modules/own/manifests/init.pp': 'class own {}\n',
      'modules/ntp/left/over': 'x',
    })
    const deployed = await deploy(commit)
    expect(filesOf(deployed)).toEqual([
      'Puppetfile',
      'Puppetfile.lock',
      'ext/deep/motd/manifests/init.pp',
      'manifests/site.pp',
      'modules/ntp/manifests/init.pp',
      'modules/ntp/metadata.json',
      'modules/own/manifests/init.pp',
    ])
    expect(
      repository.gitBare('show', '--no-patch', '--format=%P%n%an <%ae> %at%n%cn %ct%n%B', deployed).trimEnd(),
    ).toBe(
      [
        ...[commit, repository.git('show', '--no-patch', '--format=%an <%ae> %at%nPlumbline %ct', commit)],
        ...[
          'A change',
          '',
          'With 2 modules from its Puppetfile:',
          '',
          '  modules/ntp 1.0.0',
          '  ext/deep/motd 1.0.0',
          '',
        ],
        `Plumb-Source: ${commit}`,
      ].join('\n'),
    )
    expect(JSON.parse(repository.gitBare('show', `${deployed}:Puppetfile.lock`))).toEqual({
      version: 1,
      modules: [
        {
          title: 'acme/ntp',
          path: 'modules/ntp',
          source: 'forge 1.0.0',
          resolved: '1.0.0',
          tree: repository.gitBare('rev-parse', `${deployed}:modules/ntp`),
        },
        {
          title: 'motd',
          path: 'ext/deep/motd',
          source: 'forge 1.0.0',
          resolved: '1.0.0',
          tree: repository.gitBare('rev-parse', `${deployed}:ext/deep/motd`),
        },
      ],
    })
    repository.gitBare('fsck', '--strict', '--no-dangling')
    expect(await getSourceCommit(parts.place, deployed)).toBe(commit)
    expect(await getSourceCommit(parts.place, commit)).toBeUndefined()
  })

  it('is the same for the same inputs, in any repository', async () => {
    const files: Files = { Puppetfile: "mod 'motd', '1.0.0'\n", 'manifests/site.pp': '' }
    const commit = repository.push(files)
    const deployed = await deploy(commit)
    expect(await deploy(commit)).toBe(deployed)
    const other = controlRepository()
    repository.git('push', '--quiet', other.bare, 'production')
    const elsewhere = await partsOf(other)
    expect(await deployCommit(elsewhere.parts, { commit, branch: 'another', environment: 'another' })).toBe(deployed)
    await elsewhere.parts.source.close()
  })

  it('is the commit itself where there is no module to add', async () => {
    const without = repository.push({ 'manifests/site.pp': '' })
    expect(await deploy(without)).toBe(without)
    const local = repository.push({ Puppetfile: "# nothing\nmod 'own', local\n", 'modules/own/manifests/init.pp': '' })
    expect(await deploy(local)).toBe(local)
    expect(fetcher.asked).toEqual([])
  })

  it('keeps names of files that are no UTF-8, and modules without a file', async () => {
    const commit = repository.push({ Puppetfile: "mod 'empty', '1.0.0'\n", 'modules/x/files/a': 'a' })
    const tree = Buffer.concat([Buffer.from([0x62, 0xff]), Buffer.from('\0')])
    const { writeFolder } = await import('../../../src/code/git/object-writer.ts')
    const blob = repository.gitBare('rev-parse', `${commit}:Puppetfile`)
    const odd = await writeFolder(parts.place, [
      { mode: '100644', type: 'blob', oid: blob, name: 'Puppetfile' },
      { mode: '100644', type: 'blob', oid: blob, name: tree.subarray(0, 2).toString('latin1') },
    ])
    const base = repository.gitBare('commit-tree', odd, '-m', 'odd')
    const deployed = await deploy(base)
    expect(repository.gitBare('ls-tree', '--name-only', deployed).split('\n')).toEqual([
      'Puppetfile',
      'Puppetfile.lock',
      '"b\\377"',
      'modules',
    ])
  })

  it.each<readonly [title: string, files: Files, message: string]>([
    [
      'a file where a folder has to be',
      { Puppetfile: "\nmod 'motd', '1.0.0'\n", modules: 'no folder' },
      'Could not add the module motd at modules/motd: modules is a file in the branch (file: Puppetfile, line: 2, column: 1)',
    ],
    [
      'a link at the place of a module',
      { Puppetfile: "mod 'motd', '1.0.0'\n", 'modules/motd': { link: '/etc' } },
      'Could not add the module motd at modules/motd: modules/motd is a symbolic link in the branch (file: Puppetfile, line: 1, column: 1)',
    ],
    [
      'one module inside of another',
      { Puppetfile: "mod 'motd', '1.0.0'\nmod 'empty', at: 'modules/motd/lib'\n" },
      'Could not add the module empty at modules/motd/lib: the module motd is already at that path (file: Puppetfile, line: 2, column: 1)',
    ],
    [
      'a path that leads out',
      { Puppetfile: "mod 'motd', at: '../motd'\n" },
      'Could not add the module motd at ../motd: the path is not a directory in the environment (file: Puppetfile, line: 1, column: 1)',
    ],
    [
      'a path into .git',
      { Puppetfile: "mod 'motd', at: 'x/.GIT/hooks'\n" },
      'Could not add the module motd at x/.GIT/hooks: the path is not a directory in the environment (file: Puppetfile, line: 1, column: 1)',
    ],
    [
      'a module that cannot be had',
      { Puppetfile: "mod 'motd', '1.0.0'\n\nmod 'none', '1.0.0'\n" },
      'There is no module none (file: Puppetfile, line: 3, column: 1)',
    ],
    [
      'several of them',
      { Puppetfile: "mod 'none', '1.0.0'\nmod 'nor', '1.0.0'\n" },
      'There is no module none (file: Puppetfile, line: 1, column: 1) (and 1 more)',
    ],
  ])('is refused for %s', async (_, files, message) => {
    const commit = repository.push(files)
    await expect(deploy(commit)).rejects.toMatchObject({ message })
    expect(repository.gitBare('for-each-ref', 'refs/plumb')).toBe('')
  })

  it('takes again what words came to before, and fetches only what is new', async () => {
    const one = repository.push({ Puppetfile: "mod 'motd', branch: 'main'\n" })
    const before = await deploy(one)
    const known = await readResolution(parts, before)
    fetcher.modules.set('motd', { 'manifests/init.pp': 'class motd { notice(1) }\n' })
    const two = repository.push({ 'manifests/site.pp': 'notice(1)\n' })
    const same = await deploy(two, { known })
    expect(repository.gitBare('diff', '--name-only', before, same)).toBe('manifests/site.pp')
    const three = repository.push({ Puppetfile: "mod 'motd', branch: 'main'\nmod 'acme/ntp', '1.0.0'\n" })
    const more = await deploy(three, { known })
    expect(repository.gitBare('rev-parse', `${more}:modules/motd`)).toBe(
      repository.gitBare('rev-parse', `${before}:modules/motd`),
    )
    expect(fetcher.asked).toEqual(['motd', 'acme/ntp'])
    const anew = await deploy(three, { known: await readResolution(parts, more), anew: 'moving' })
    expect(fetcher.asked).toEqual(['motd', 'acme/ntp', 'motd'])
    expect(repository.gitBare('diff', '--name-only', more, anew).split('\n')).toEqual([
      'Puppetfile.lock',
      'modules/motd/manifests/init.pp',
    ])
    await deploy(three, { known, anew: new Set(['ntp']) })
    expect(fetcher.asked.slice(3)).toEqual(['acme/ntp'])
    await expect(deploy(three, { known, anew: new Set(['other']) })).rejects.toThrow(
      'The Puppetfile names no module other',
    )
  })

  it("looks at a module that follows the control repository's branch again where the branch is another", async () => {
    const commit = repository.push({ Puppetfile: "mod 'motd', branch: ''\n" })
    const known = await readResolution(parts, await deploy(commit))
    expect(known?.lock.modules).toMatchObject([{ branch: 'production', resolved: 'production' }])
    const other = await deploy(commit, { known, branch: 'feature' })
    expect((await readResolution(parts, other))?.lock.modules).toMatchObject([
      { branch: 'feature', resolved: 'feature' },
    ])
  })
})

describe('a committed Puppetfile.lock', () => {
  const puppetfile = "mod 'motd', branch: 'main'\nmod 'ntp', '2.0.0'\n"

  async function lockFor(files: Files): Promise<string> {
    return `${repository.gitBare('show', `${await deploy(repository.push(files))}:Puppetfile.lock`)}\n`
  }

  it('holds modules to their trees, whatever their branches have', async () => {
    const lock = await lockFor({ Puppetfile: puppetfile })
    fetcher.modules.set('motd', { changed: 'x' })
    fetcher.asked.length = 0
    const commit = repository.push({ 'Puppetfile.lock': lock })
    const deployed = await deploy(commit, { anew: 'moving' })
    expect(fetcher.asked).toEqual([])
    expect(filesOf(deployed)).toContain('modules/motd/manifests/init.pp')
    expect(repository.gitBare('rev-parse', `${deployed}:Puppetfile.lock`)).toBe(
      repository.gitBare('rev-parse', `${commit}:Puppetfile.lock`),
    )
  })

  it('is an error where what it names is another tree now, or cannot be had', async () => {
    const lock = await lockFor({ Puppetfile: puppetfile })
    const other = controlRepository()
    repository.push({ 'Puppetfile.lock': lock })
    repository.git('push', '--quiet', other.bare, 'production')
    const elsewhere = await partsOf(other)
    elsewhere.fetcher.modules.set('motd', { changed: 'x' })
    const commit = repository.git('rev-parse', 'HEAD')
    await expect(
      deployCommit(elsewhere.parts, { commit, branch: 'production', environment: 'production' }),
    ).rejects.toThrow(
      /^The module motd has the tree [0-9a-f]{40}, but the Puppetfile.lock has [0-9a-f]{40} \(file: Puppetfile, line: 1/,
    )
    await elsewhere.parts.source.close()
  })

  it.each<readonly [title: string, puppetfile: string, message: string]>([
    [
      'has another version',
      "mod 'motd', branch: 'main'\nmod 'ntp', '3.0.0'\n",
      "The Puppetfile.lock does not match the Puppetfile: it has the module ntp from 'forge 2.0.0', not from 'forge 3.0.0' (file: Puppetfile, line: 2, column: 1)",
    ],
    [
      'has a module more',
      `${puppetfile}mod 'acme/ntp', at: 'ext/ntp'\n`,
      'The Puppetfile.lock does not match the Puppetfile: it lacks the module acme/ntp (file: Puppetfile, line: 3, column: 1)',
    ],
    [
      'has a module less',
      "mod 'motd', branch: 'main'\n",
      'The Puppetfile.lock does not match the Puppetfile, which does not name the module ntp',
    ],
  ])('is an error where the Puppetfile %s', async (_, changed, message) => {
    const lock = await lockFor({ Puppetfile: puppetfile })
    const commit = repository.push({ Puppetfile: changed, 'Puppetfile.lock': lock })
    await expect(deploy(commit)).rejects.toMatchObject({ message })
  })

  it.each([
    ['{', /^Could not read the Puppetfile.lock: /],
    ['{"version": 7}', 'Could not read the Puppetfile.lock: its version is 7, not 1'],
    ['{"version": 1, "modules": [{}]}', 'Could not read the Puppetfile.lock: tree must be a string'],
    [
      '{"version": 1, "modules": [{"title":"a","path":"b","source":"c","resolved":"d","tree":"--output=x"}]}',
      'Could not read the Puppetfile.lock: a tree is not a Git object ID',
    ],
  ])('is an error where it is broken: %s', async (lock, message) => {
    const commit = repository.push({ Puppetfile: puppetfile, 'Puppetfile.lock': lock })
    await expect(deploy(commit)).rejects.toThrow(message)
  })

  it("does not count where it is librarian-puppet's", async () => {
    const commit = repository.push({
      Puppetfile: puppetfile,
      'Puppetfile.lock': 'FORGE\n  remote: https://forgeapi.puppet.com\n  specs:\n    motd (1.0.0)\n',
    })
    expect((await readResolution(parts, await deploy(commit)))?.lock.modules).toHaveLength(2)
  })
})
