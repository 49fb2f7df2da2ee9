import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const folder = scratchFolder('mounts')
const conf = join(folder, 'fileserver.conf')
const e = 'environment=production'
let serving: Serving

const at = (...parts: string[]) => join(folder, ...parts)
const put = (path: string, text: string) => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
}

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': "file { '/tmp/x': source => 'puppet:///ours/a.txt' }\n",
  })
  repository.pin()
  put('srv/a.txt', 'one\n')
  put('srv/sub/b.txt', 'two\n')
  put('srv/empty', '')
  put('srv-secret/s.txt', 'secret\n')
  put('nodes/web1/mine', 'of web1\n')
  put('nodes/web1.test/mine', 'of web1.test\n')
  put('nodes/all', 'of all\n')
  chmodSync(at('srv/a.txt'), 0o600)
  symlinkSync('a.txt', at('srv/inside'))
  symlinkSync(at('srv-secret/s.txt'), at('srv/out'))
  symlinkSync('../srv-secret', at('srv/out-folder'))
  symlinkSync('nowhere', at('srv/broken'))
  symlinkSync('..', at('srv/sub/up'))
  execFileSync('mkfifo', [at('srv/pipe')])
  mkdirSync(at('etc/ssl/private_keys'), { recursive: true })
  put('etc/ssl/private_keys/localhost.pem.txt', 'key')
  const auth_conf = at('auth.conf')
  writeFileSync(
    auth_conf,
    'authorization { version: 1, rules: [ { name: "all", sort-order: 500, match-request { path: "/", type: path }, allow-unauthenticated: true } ] }',
  )
  const mounts = {
    ours: at('srv'),
    short: at('nodes/%h'),
    long: at('nodes/%H'),
    domain: at('nodes/%d'),
    percent: at('nodes/%%x'),
    gone: at('nowhere'),
    relative: 'srv',
    keys: at('etc/ssl/private_keys'),
    root: '/',
    dots: at('srv/../etc/%h'),
  }
  const text = Object.entries(mounts).map(([name, path]) => `[${name}]\n  path ${path}\n  allow *.test\n`)
  writeFileSync(conf, text.join(''))
  const places = { confdir: at('etc'), vardir: at('var'), fileserverconfig: conf }
  serving = await serve({ code_repo: repository.bare, auth_conf, static_catalogs_scope: 'all', ...places })
})
afterAll(() => serving?.stop())

const get = (path: string, as?: string, accept = '*/*') =>
  serving.call('GET', `/puppet/v3/${path}`, { ...(as && { as }), headers: { accept } })
const content = async (path: string, as?: string) => {
  const { status, text } = await get(`file_content/${path}?${e}`, as)
  return status === 200 ? text : status
}
const metadata = async (path: string, more = '') => {
  const { status, text } = await get(`file_metadata/${path}?${e}&links=manage${more}`)
  return status === 200 ? JSON.parse(text) : status
}
const sha256 = (text: string) => `{sha256}${execFileSync('sha256sum', { input: text }).toString().slice(0, 64)}`

describe('file_content of a mount', () => {
  it.each([
    ['a file', 'ours/a.txt', 'one\n'],
    ['a file below', 'ours/sub/b.txt', 'two\n'],
    ['an empty file', 'ours/empty', ''],
    ['a folder', 'ours/sub', ''],
    ['a link that stays inside', 'ours/inside', 'one\n'],
    ['slashes twice', 'ours/sub//b.txt', 'two\n'],
    ['a file that is not there', 'ours/nothing', 404],
    ['a link to a file outside', 'ours/out', 404],
    ['a link to a folder outside', 'ours/out-folder/s.txt', 404],
    ['a link to nowhere', 'ours/broken', 404],
    ['a folder whose name begins so', 'ours/../srv-secret/s.txt', 400],
    ['dots that are encoded', 'ours/%2e%2e/srv-secret/s.txt', 400],
    ['a slash that is encoded', 'ours/..%2fsrv-secret%2fs.txt', 400],
    ['a NUL', 'ours/a.txt%00', 400],
    ['a pipe', 'ours/pipe', 404],
    ["the server's keys", 'keys/localhost.pem.txt', 500],
    ['the whole machine', 'root/etc/hostname', 500],
  ])('%s', async (_, path, expected) => {
    expect(await content(path)).toBe(expected)
  })

  it.each([
    ['short/mine', 'web1.test', 'of web1\n'],
    ['long/mine', 'web1.test', 'of web1.test\n'],
    ['domain/mine', 'a.web1.test', 'of web1.test\n'],
    ['short/mine', 'web2.test', 404],
    ['short/mine', undefined, 404],
    ['dots/ssl/private_keys/localhost.pem.txt', 'web1.test', 404],
  ])('%s, as %s', async (path, as, expected) => {
    expect(await content(path, as)).toBe(expected)
  })
})

describe('metadata of a mount', () => {
  it('is that of the file', async () => {
    const { uid, gid } = statSync(at('srv/a.txt'))
    expect(await metadata('ours/a.txt', '&source_permissions=use')).toEqual({
      ...{ path: at('srv/a.txt'), relative_path: null, links: 'manage', owner: uid, group: gid, mode: 0o600 },
      ...{ checksum: { type: 'sha256', value: sha256('one\n') }, type: 'file', destination: null },
    })
    expect(await metadata('ours/a.txt')).toMatchObject({ owner: 0, group: 0, mode: 0o644 })
  })

  it.each([
    ['ours/inside', '', { type: 'link', destination: 'a.txt', checksum: { type: 'sha256', value: sha256('one\n') } }],
    [
      'ours/sub',
      '',
      { type: 'directory', checksum: { type: 'ctime', value: expect.stringMatching(/^\{ctime\}\d{4}-/) } },
    ],
    ['ours/a.txt', '&checksum_type=mtime', { checksum: { type: 'mtime', value: expect.stringMatching(/^\{mtime\}/) } }],
    [
      'ours/a.txt',
      '&checksum_type=md5lite',
      { checksum: { type: 'md5lite', value: expect.stringMatching(/^\{md5lite\}/) } },
    ],
    ['ours/empty', '', { checksum: { type: 'sha256', value: sha256('') } }],
    ['ours', '', { type: 'directory', path: at('srv') }],
  ])('of %s%s', async (path, more, expected) => {
    expect(await metadata(path, more)).toMatchObject(expected)
  })

  it('of all files, with no way out and no end', async () => {
    const { text } = await get(`file_metadatas/ours?${e}&recurse=true&links=follow`)
    const files = JSON.parse(text) as { relative_path: string; path: string }[]
    expect(files.map(({ relative_path }) => relative_path).sort()).toEqual(
      ['.', 'a.txt', 'empty', 'inside', 'sub', 'sub/b.txt', 'sub/up'].sort(),
    )
    expect(new Set(files.map(({ path }) => path))).toEqual(new Set([at('srv')]))
  })

  it('is that of now', async () => {
    put('srv/changes', 'before\n')
    expect((await metadata('ours/changes')).checksum.value).toBe(sha256('before\n'))
    put('srv/changes', 'after!\n')
    expect((await metadata('ours/changes')).checksum.value).toBe(sha256('after!\n'))
    unlinkSync(at('srv/changes'))
    expect(await metadata('ours/changes')).toBe(404)
  })

  it.each(['gone', 'relative', 'keys', 'root'])('there is no mount %s', async (name) => {
    const { status, text } = await get(`file_metadata/${name}/x?${e}`)
    expect([status, text]).toEqual([
      500,
      expect.stringContaining(`Not authorized to call find on /file_metadata/${name}/x`),
    ])
  })
})

it('is never of the commit: a static catalog leaves the file to the agent', async () => {
  const path = `catalog/a.test?${e}&static_catalog=true&checksum_type=sha256`
  const { status, text } = await get(path, 'a.test', 'application/json')
  expect([status, text]).toEqual([200, expect.stringContaining('puppet:///ours/a.txt')])
  expect(text).not.toContain('content_uri')
})

it('says what was passed over', () => {
  const said = serving.log.map((line) => JSON.parse(line).msg as string)
  for (const message of [
    `Removing mount "gone": ${at('nowhere')} does not exist or is not a directory`,
    'Removing mount "relative": srv is not an absolute path',
    `Removing mount "root": / is not served: `,
    `Removing mount "keys": ${at('etc/ssl/private_keys')} is not served: `,
    `Entry '  allow *.test' is unsupported and will be ignored at (file: ${conf}, line: 3)`,
  ])
    expect(said).toContainEqual(expect.stringContaining(message))
})

it('a reload takes new mounts, and nothing of a file that is wrong', async () => {
  writeFileSync(conf, `[new]\npath ${at('srv')}\n`)
  await serving.server.reload()
  expect([await content('new/a.txt'), await content('ours/a.txt')]).toEqual(['one\n', 500])
  writeFileSync(conf, `[other]\npath = ${at('srv')}\n`)
  await expect(serving.server.reload()).rejects.toThrow("does not use '=' as a separator")
  expect(await content('new/a.txt')).toBe('one\n')
})
