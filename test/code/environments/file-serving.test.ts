import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readContent } from '../../../src/base/bytes/content.ts'
import { openCommit } from '../../../src/code/environments/environment-opener.ts'
import type { Environment, Environments } from '../../../src/code/environments/environments.ts'
import {
  type FileSearch,
  findMetadata,
  type MountQuery,
  searchMetadata,
} from '../../../src/code/environments/file-serving.ts'
import { openGitEnvironments } from '../../../src/code/environments/git/git-environments.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { fileMetadataFromWire, fileMetadataToWire } from '../../../src/model/file-metadata.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { testSettings } from './settings.ts'

let repository: ControlRepository
let environments: Environments
let environment: Environment
const large = Buffer.alloc(1_500_000, 'x')
beforeAll(async () => {
  repository = controlRepository()
  repository.push({
    'modules/demo/files/a.txt': 'a\n',
    'modules/demo/files/large': large,
    'modules/demo/files/tree/sub/two.txt': 'two',
    'modules/demo/files/tree/one.txt': 'one',
    'modules/demo/files/tree/.hidden': 'h',
    'modules/demo/files/tree/link.txt': { link: 'one.txt' },
    'modules/demo/files/tree/sub/loop': { link: '..' },
    'modules/demo/files/tree/out': { link: '/etc/passwd' },
    'modules/demo/lib/facter/x.rb': 'demo x',
    'modules/demo/lib/puppet/y.rb': 'demo y',
    'modules/other/lib/facter/x.rb': 'other x',
    'modules/other/lib/facter/z.rb': 'other z',
    'modules/demo/facts.d/run.sh': { script: '#!/bin/sh\n' },
    'modules/demo/facts.d/data.yaml': 'a: 1\n',
    'modules/demo/scripts/s.sh': 's',
    'modules/demo/tasks/t.sh': 't',
  })
  const source = await openRepository(repository.bare)
  environments = await openGitEnvironments({ source, settings: testSettings(), interval: 0 })
  environment = (await environments.get('production'))!
})
afterAll(async () => {
  await environments.close()
})

const query = (mount: string, path: string, more: Partial<MountQuery> = {}): MountQuery => ({
  mount,
  path,
  links: 'manage',
  checksumType: 'sha256',
  sourcePermissions: 'ignore',
  ...more,
})
const search = (mount: string, path: string, more: Partial<FileSearch> = {}): FileSearch => ({
  ...query(mount, path),
  recurse: true,
  recurselimit: undefined,
  maxFiles: 0,
  ignore: [],
  ...more,
})
const sha256 = (text: string | Buffer) => `{sha256}${createHash('sha256').update(text).digest('hex')}`
const root = '/etc/plumb/code/environments/production'

describe('file metadata', () => {
  it('describes a file', async () => {
    const found = await environment.findMetadata(query('modules', 'demo/a.txt'))
    expect(found && fileMetadataToWire(found)).toEqual({
      path: `${root}/modules/demo/files/a.txt`,
      relative_path: null,
      links: 'manage',
      owner: 0,
      group: 0,
      mode: 420,
      checksum: { type: 'sha256', value: sha256('a\n') },
      type: 'file',
      destination: null,
    })
  })

  it.each([
    ['modules', 'demo/large', 'sha256', sha256(large)],
    [
      'modules',
      'demo/large',
      'sha256lite',
      `{sha256lite}${createHash('sha256').update(large.subarray(0, 512)).digest('hex')}`,
    ],
    ['modules', 'demo/a.txt', 'md5', `{md5}${createHash('md5').update('a\n').digest('hex')}`],
    ['modules', 'demo/a.txt', 'none', '{none}'],
    ['plugins', 'facter/x.rb', 'sha256', sha256('demo x')],
    ['plugins', 'facter/z.rb', 'sha256', sha256('other z')],
    ['scripts', 'demo/s.sh', 'sha256', sha256('s')],
    ['tasks', 'demo/t.sh', 'sha256', sha256('t')],
  ])('%s/%s by %s', async (mount, path, checksumType, value) => {
    const found = await environment.findMetadata(query(mount, path, { checksumType }))
    expect(found?.checksum).toEqual({ type: checksumType, value })
  })

  it('gives a directory the time of the commit', async () => {
    const found = await environment.findMetadata(query('modules', 'demo/tree'))
    expect(found).toMatchObject({ type: 'directory', checksum: { type: 'ctime' } })
    expect(found?.checksum.value).toMatch(/^\{ctime\}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/)
  })

  it('manages or follows links', async () => {
    const path = 'demo/tree/link.txt'
    expect(await environment.findMetadata(query('modules', path))).toMatchObject({
      type: 'link',
      destination: 'one.txt',
      checksum: { value: sha256('one') },
    })
    expect(await environment.findMetadata(query('modules', path, { links: 'follow' }))).toMatchObject({
      type: 'file',
      destination: undefined,
      checksum: { value: sha256('one') },
    })
  })

  it('has permissions where they are asked for', async () => {
    const modes = async (...paths: string[]) =>
      Promise.all(
        paths.map(
          async (path) =>
            (await environment.findMetadata(query('pluginfacts', path, { sourcePermissions: 'use' })))?.mode,
        ),
      )
    expect(await modes('run.sh', 'data.yaml', '')).toEqual([0o755, 0o644, 0o755])
  })

  it('answers nothing for what is not there, and refuses unknown mounts and checksums', async () => {
    for (const path of ['demo/none', 'none/a.txt', 'demo/../manifests/init.pp', 'demo/tree/../a.txt'])
      expect(await environment.findMetadata(query('modules', path))).toBeUndefined()
    await expect(environment.findMetadata(query('nomount', 'x'))).rejects.toThrow(
      'Not authorized to call find on /file_metadata/nomount/x with {:rest=>"nomount/x"}',
    )
    await expect(environment.findMetadata(query('modules', ''))).rejects.toThrow('No module specified')
    await expect(environment.findMetadata(query('modules', 'demo/a.txt', { checksumType: 'bogus' }))).rejects.toThrow(
      'Unsupported checksum type bogus',
    )
  })
})

describe('recursive file metadata', () => {
  const paths = async (...asked: Parameters<typeof search>) =>
    (await environment.searchMetadata(search(...asked)))?.map(({ relativePath, type }) => `${relativePath} ${type}`)

  it('goes breadth first, the base in each entry', async () => {
    expect(await paths('modules', 'demo/tree')).toEqual([
      '. directory',
      '.hidden file',
      'link.txt link',
      'one.txt file',
      'out link',
      'sub directory',
      'sub/loop link',
      'sub/two.txt file',
    ])
    const found = await environment.searchMetadata(search('modules', 'demo/tree'))
    expect(new Set(found?.map(({ path }) => path))).toEqual(new Set([`${root}/modules/demo/files/tree`]))
    for (const each of found!) expect(fileMetadataFromWire(fileMetadataToWire(each))).toEqual(each)
  })

  it('follows links, but not in circles and not outside', async () => {
    expect(await paths('modules', 'demo/tree', { links: 'follow' })).toEqual([
      '. directory',
      '.hidden file',
      'link.txt file',
      'one.txt file',
      'sub directory',
      'sub/loop directory',
      'sub/two.txt file',
    ])
  })

  it('ends at its limits', async () => {
    expect(await paths('modules', 'demo/tree', { recurse: false })).toEqual(['. directory'])
    expect(await paths('modules', 'demo/tree', { recurselimit: 1, ignore: ['.*', '*.txt', 'out'] })).toEqual([
      '. directory',
      'sub directory',
    ])
    await expect(environment.searchMetadata(search('modules', 'demo/tree', { maxFiles: 1 }))).rejects.toThrow(
      `The directory '${root}/modules/demo/files/tree' contains 7 entries, which exceeds the limit of 1 specified by the max_files parameter`,
    )
    expect(await paths('modules', 'demo/none')).toBeUndefined()
  })

  it('merges the plug-ins of all modules, the first of a path winning', async () => {
    const found = await environment.searchMetadata(search('plugins', 'ignored'))
    expect(found?.map(({ relativePath, path }) => [relativePath, path])).toEqual([
      ['.', `${root}/modules/demo/lib`],
      ['facter', `${root}/modules/demo/lib`],
      ['puppet', `${root}/modules/demo/lib`],
      ['facter/x.rb', `${root}/modules/demo/lib`],
      ['puppet/y.rb', `${root}/modules/demo/lib`],
      ['facter/z.rb', `${root}/modules/other/lib`],
    ])
    expect(await paths('locales', '')).toEqual(['. directory'])
  })

  it('is the same for a compiler that has all at hand', async () => {
    const { environment: code } = await openCommit({ repository: repository.bare, ref: 'production' }, testSettings())
    expect(searchMetadata(code, search('modules', 'demo/tree'))).toEqual(
      await environment.searchMetadata(search('modules', 'demo/tree')),
    )
    expect(findMetadata(code, query('modules', 'demo/large'))).toEqual(
      await environment.findMetadata(query('modules', 'demo/large')),
    )
  })
})

describe('file content', () => {
  it('streams files, and tells directories', async () => {
    const opened = await environment.openContent({ mount: 'modules', path: 'demo/large' })
    if (!opened || opened === 'directory') throw new Error('no file')
    expect((await readContent(opened.content)).equals(large)).toBe(true)
    expect(await environment.openContent({ mount: 'modules', path: 'demo/tree' })).toBe('directory')
    expect(await environment.openContent({ mount: 'modules', path: 'demo/none' })).toBeUndefined()
  })
})
