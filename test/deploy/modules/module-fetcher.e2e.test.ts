import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import type { FetchRequest } from '../../../src/deploy/modules/fetched-module.ts'
import { openModuleFetcher } from '../../../src/deploy/modules/module-fetcher.ts'
import { getServerForge } from '../../../src/deploy/modules/server-forge.ts'
import type { DeclaredModule, ModuleSource, WantedCommit } from '../../../src/deploy/puppetfile/module-declaration.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { type ArchiveEntries, packedModule, tarOf, tgzOf } from '../../support/archive.ts'
import { openForge, type TestForge } from '../../support/forge.ts'
import { openForwardProxy } from '../../support/forward-proxy.ts'
import { type GitHost, openGitHost } from '../../support/git-host.ts'
import { emptyRepository, type FetcherHere, fetcherDefaults, fetcherHere } from '../../support/module-fetching.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let forge: TestForge
let host: GitHost
const open: FetcherHere[] = []

beforeAll(async () => {
  ;[forge, host] = await Promise.all([openForge(), openGitHost()])
})
afterAll(async () => {
  await Promise.all([...open.map((each) => each.close()), forge.close(), host.close()])
})

function fetcher(settings: Parameters<typeof fetcherHere>[0] = {}, gitDir?: string): FetcherHere {
  const all = { puppetfile_sources: [host.url], module_repository: forge.url, ...settings }
  const here = fetcherHere(all, gitDir)
  open.push(here)
  return here
}

function declared(source: ModuleSource, more: Partial<DeclaredModule> = {}): DeclaredModule {
  return { title: 'acme/a', owner: 'acme', name: 'a', path: 'modules/a', source, excludesSpec: false, line: 7, ...more }
}

function gitModule(name: string, wanted: WantedCommit, defaultBranch?: string): DeclaredModule {
  return declared({ kind: 'git', url: `${host.url}/${name}.git`, wanted, defaultBranch })
}

const testSources = (file: string) => ({
  ...{ code_sources: file, code_fetch_interval: 60, code_fetch_timeout: 60 },
  ...{ max_code_fetch_bytes: 1024, webhook_secret: '' },
})

const release = (version: string) => declared({ kind: 'forge', version })
const branch = (name: string) => ({ kind: 'branch', name }) as const
const commit = (name: string) => ({ kind: 'commit', name }) as const

async function complaint(
  here: FetcherHere,
  module: DeclaredModule,
  request: Partial<FetchRequest> = {},
): Promise<string> {
  try {
    await here.fetch(module, { branch: 'production', ...request })
    return 'nothing is wrong'
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, hint } = error.diagnostic
    return hint === undefined ? message : `${message} | ${hint}`
  }
}

const request = { branch: 'production' }
const fetches = (name: string) => host.requests.filter((each) => each.includes(`/${name}.git/git-upload-pack`)).length
const asked = (name: string) => host.requests.filter((each) => each.includes(`/${name}.git/info/refs`)).length

describe('a module by git', () => {
  it('is fetched once for all who want it at once, and follows its branch', async () => {
    const first = host.commit('once', { x: '1' })
    const here = fetcher()
    const module = gitModule('once', branch('main'))
    const freshSince = performance.now()
    const all = await Promise.all(Array.from({ length: 30 }, () => here.fetch(module, { ...request, freshSince })))
    expect(new Set(all.map(({ resolved }) => resolved))).toEqual(new Set([first]))
    const after = [asked('once'), fetches('once')]
    await here.fetch(module, { ...request, freshSince })
    expect([asked('once'), fetches('once')]).toEqual(after)
    const second = host.commit('once', { x: '2' })
    expect((await here.fetch(module, request)).resolved).toBe(second)
  })

  it('needs no network where it is pinned and there', async () => {
    const first = host.commit('pinned', { x: '1' })
    host.git('pinned', 'tag', 'v1', first)
    const second = host.commit('pinned', { x: '2' })
    const store = emptyRepository()
    await fetcher({}, store).fetch(gitModule('pinned', branch('main')), request)
    const before = host.requests.length
    const here = fetcher({}, store)
    for (const wanted of [commit(first), { kind: 'tag', name: 'v1' }, { kind: 'ref', name: first }] as const)
      expect((await here.fetch(gitModule('pinned', wanted), request)).resolved).toBe(first)
    const locked = { title: 'acme/a', resolved: first, tree: '' }
    expect((await here.fetch(gitModule('pinned', branch('main')), { ...request, locked })).resolved).toBe(first)
    expect(host.requests.length).toBe(before)
    expect(second).not.toBe(first)
  })

  it('is had by its id where no branch leads to it any more', async () => {
    const lost = host.commit('forced', { x: 'lost' })
    host.git('forced', 'update-ref', 'refs/hidden/x', lost)
    const orphan = host.git('forced', 'commit-tree', '-m', 'x', `${lost}^{tree}`)
    host.git('forced', 'update-ref', 'refs/heads/main', orphan)
    const here = fetcher()
    expect((await here.fetch(gitModule('forced', commit(lost)), request)).resolved).toBe(lost)
    expect((await here.fetch(gitModule('forced', branch('main')), request)).resolved).toBe(orphan)
    const before = host.requests.length
    expect((await here.fetch(gitModule('forced', commit(lost)), request)).resolved).toBe(lost)
    expect(host.requests.length).toBe(before)
  })

  it('is no commit of another repository, although the store has it', async () => {
    const secret = host.commit('secret', { x: 'secret' })
    host.commit('open', { x: 'open' })
    const here = fetcher()
    await here.fetch(gitModule('secret', branch('main')), request)
    expect(await complaint(here, gitModule('open', commit(secret)))).toMatch(/Could not resolve desired ref/)
    expect(await complaint(here, gitModule('open', commit(secret.slice(0, 12))))).toMatch(/Could not resolve/)
  })

  it('follows the branch of the control repository, or a default, or HEAD', async () => {
    const main = host.commit('follow', { x: 'main' })
    const production = host.commit('follow', { x: 'production' }, 'production')
    const here = fetcher()
    const control = { kind: 'control_branch' } as const
    expect((await here.fetch(gitModule('follow', control), request)).resolved).toBe(production)
    expect((await here.fetch(gitModule('follow', control, 'main'), { branch: 'x' })).resolved).toBe(main)
    expect((await here.fetch(gitModule('follow', { kind: 'head' }), request)).resolved).toBe(main)
    expect(await complaint(here, gitModule('follow', control), { branch: 'productoin' })).toMatch(
      /^Unable to manage Puppetfile content 'acme\/a' \(line 7, http:\S+\): Could not resolve desired ref 'productoin' \| Did you mean 'production'\?$/,
    )
  })

  it('is shown to no client, and leaves nothing where it fails', async () => {
    host.commit('kept', { x: '1' })
    const here = fetcher()
    await here.fetch(gitModule('kept', branch('main')), request)
    for (const ref of here.git('for-each-ref', '--format=%(refname)').split('\n'))
      expect(ref).toMatch(/^refs\/plumb\/modules\//)
    const poor = fetcher({ max_module_fetch_bytes: 1000 })
    host.commit('large', { x: Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 251)) })
    expect(await complaint(poor, gitModule('large', branch('main')))).toMatch(/sent more than 1000 bytes/)
    expect(poor.git('count-objects', '-v')).toMatch(/^count: 0\n[\s\S]*in-pack: 0\n/)
    expect(readdirSync(join(poor.place.gitDir, 'plumb-incoming'))).toEqual([])
  })

  it.each([
    ['a submodule', 'sub', /it contains the Git submodule vendor\/x, which is not supported/],
    ['LFS', 'lfs', /files\/big is stored in Git LFS/],
    ['more bytes than are taken', 'heavy', /more than 1000000 bytes \| Increase the setting max_module_bytes/],
  ])('is refused for %s', async (_, name, words) => {
    host.commit(name, { 'manifests/init.pp': 'class a {}' })
    if (name === 'sub') {
      const oid = 'a'.repeat(40)
      const tree = host.git(name, 'rev-parse', 'main^{tree}')
      expect(tree).toHaveLength(40)
      host.commit(name, { '.gitmodules': '[submodule "x"]\n\tpath = vendor/x\n\turl = https://example.test/x\n' })
      host.addGitlink(name, 'vendor/x', oid)
    }
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
    if (name === 'lfs') host.commit(name, { '.gitattributes': 'files/* filter=lfs diff=lfs\n', 'files/big': pointer })
    if (name === 'heavy') host.commit(name, { 'files/big': 'x'.repeat(1_000_001) })
    const here = fetcher({ max_module_bytes: 1_000_000 })
    expect(await complaint(here, gitModule(name, branch('main')))).toMatch(words)
  })

  it('wants a token where the host does, and tells nobody', async () => {
    host.commit('private', { x: '1' })
    const file = join(scratchFolder('token'), 'token')
    writeFileSync(file, 'me:hidden-secret\n')
    chmodSync(file, 0o600)
    host.protect('me:hidden-secret')
    try {
      const { host: place } = new URL(host.url)
      const here = fetcher({ git_token_files: [`${place}=${file}`] })
      expect((await here.fetch(gitModule('private', branch('main')), request)).tree).toHaveLength(40)
      expect(await complaint(fetcher(), gitModule('private', branch('main')))).toMatch(
        /could not read Username|Authentication failed/,
      )
      writeFileSync(file, 'me:other-secret\n')
      const said = await complaint(here, gitModule('private', branch('main')))
      expect(said).toMatch(/could not read Username|Authentication failed|40[13]/)
      expect(said).not.toMatch(/secret/)
      chmodSync(file, 0o644)
      expect(await complaint(here, gitModule('private', branch('main')))).toMatch(/chmod 600/)
    } finally {
      host.protect(undefined)
    }
  })

  it('is redirected within what is listed, and nowhere else', async () => {
    const oid = host.commit('there', { x: '1' })
    host.misbehave(({ url = '' }, response) => {
      if (!url.startsWith('/acme/moved.git') && !url.startsWith('/acme/stolen.git')) return false
      const to = url.startsWith('/acme/moved')
        ? url.replace('/acme/moved.git', '/there.git')
        : `http://127.0.0.2:1${url}`
      response.writeHead(301, { location: to }).end()
      return true
    })
    try {
      const here = fetcher()
      expect((await here.fetch(gitModule('acme/moved', branch('main')), request)).resolved).toBe(oid)
      expect(await complaint(here, gitModule('acme/stolen', branch('main')))).toMatch(
        /redirected to http:\/\/127.0.0.2:1\/.*not in puppetfile_sources/,
      )
      expect(
        await complaint(fetcher({ puppetfile_sources: [`${host.url}/acme`] }), gitModule('acme/moved', branch('main'))),
      ).toMatch(/redirected to .*\/there.git/)
    } finally {
      host.misbehave()
    }
  })

  it('is asked at addresses that its host may have', async () => {
    const local = host.url.replace('127.0.0.1', 'localhost')
    host.commit('named', { x: '1' })
    const module = declared({
      kind: 'git',
      url: `${local}/named.git`,
      wanted: branch('main'),
      defaultBranch: undefined,
    })
    expect(await complaint(fetcher({ puppetfile_sources: [local] }), module)).toMatch(
      /localhost has the address (?:127\.0\.0\.1|::1), which is not public/,
    )
    const here = fetcher({ puppetfile_sources: [local, '127.0.0.0/8', '::1'] })
    expect((await here.fetch(module, request)).tree).toHaveLength(40)
  })

  it('is given up when nobody waits any more, or it takes too long', async () => {
    host.commit('slow', { x: '1' })
    const controller = new AbortController()
    // A request that is never answered.
    host.misbehave(() => {
      controller.abort(new Error('gone'))
      return true
    })
    try {
      const going = fetcher().fetch(gitModule('slow', branch('main')), { ...request, signal: controller.signal })
      await expect(going).rejects.toThrow('gone')
      expect(await complaint(fetcher({ module_fetch_timeout: 1 }), gitModule('slow', branch('main')))).toMatch(
        /took longer than 1 sec/,
      )
    } finally {
      host.misbehave()
    }
  })
})

describe('a module of the Forge', () => {
  it.each([
    ['1.0.0', '1.0.0'],
    ['latest', '2.1.0'],
    ['>= 1.0.0 < 2.0.0', '1.10.0'],
    ['2.x', '2.1.0'],
    ['3.0.0-rc1', '3.0.0-rc1'],
  ])('%s is %s', async (words, version) => {
    const slug = 'acme-a'
    if (!forge.requests.some((each) => each.includes(slug))) {
      for (const each of ['1.0.0', '1.9.0', '1.10.0', '2.1.0', '2.2.0', '3.0.0-rc1'])
        await forge.publish({ slug, version: each, files: { v: each } })
      forge.remove(slug, '2.2.0')
    }
    expect((await fetcher().fetch(release(words), request)).resolved).toBe(version)
  })

  it('is the same tree anywhere, and asked for once', async () => {
    await forge.publish({
      slug: 'acme-same',
      version: '1.0.0',
      files: { b: 'b', 'a/x': { mode: 0o777, content: 'x' } },
    })
    const module = declared({ kind: 'forge', version: '1.0.0' }, { name: 'same', title: 'acme/same' })
    const store = emptyRepository()
    const [one, other] = await Promise.all([
      fetcher({}, store).fetch(module, request),
      fetcher().fetch(module, request),
    ])
    expect(one.tree).toBe(other.tree)
    const before = forge.requests.length
    const again = fetcher({}, store)
    expect(await again.fetch(module, request)).toEqual(one)
    const locked = { title: 'acme/same', resolved: '1.0.0', tree: one.tree }
    const latest = declared({ kind: 'forge', version: 'latest' }, { name: 'same' })
    expect((await again.fetch(latest, { ...request, locked })).tree).toBe(one.tree)
    expect(forge.requests.length).toBe(before)
    again.git('fsck', '--strict')
    again.git('gc', '--prune=now', '--quiet')
    expect(again.filesOf(one.tree)).toHaveProperty('a/x')
  })

  it('is found by pages where a mirror lists no releases', async () => {
    for (let minor = 0; minor < 130; minor++)
      await forge.publish({ slug: 'acme-many', version: `1.${minor}.0`, archive: new Uint8Array() })
    forge.misbehave(({ url = '' }, response) => {
      if (!url.startsWith('/v3/modules/acme-many')) return false
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"slug":"acme-many"}')
      return true
    })
    const before = forge.requests.length
    try {
      const module = declared({ kind: 'forge', version: '1.0.x' }, { name: 'many' })
      expect(await complaint(fetcher(), module)).toMatch(/the archive cannot be read/)
      const pages = forge.requests.slice(before).filter((each) => each.startsWith('/v3/releases?'))
      expect(pages).toHaveLength(2)
    } finally {
      forge.misbehave()
    }
  })

  it('gives its token to the Forge, and to nobody else', async () => {
    const file = join(scratchFolder('token'), 'forge')
    writeFileSync(file, 'forge-secret\n', { mode: 0o600 })
    await forge.publish({ slug: 'acme-token', version: '1.0.0', files: {} })
    const other = await openForge()
    try {
      forge.misbehave(({ url = '' }, response) => {
        if (!url.startsWith('/v3/files/')) return false
        response.writeHead(302, { location: `${other.url}${url}` }).end()
        return true
      })
      await other.publish({ slug: 'acme-token', version: '1.0.0', files: {} })
      const module = declared({ kind: 'forge', version: '1.0.0' }, { name: 'token' })
      const here = fetcher({ forge_token_file: file, puppetfile_sources: [other.url] })
      await here.fetch(module, request)
      expect(forge.headers.authorization).toBe('Bearer forge-secret')
      expect(other.headers.authorization).toBeUndefined()
      expect(await complaint(fetcher(), module)).toMatch(/redirected to .* not in puppetfile_sources/)
    } finally {
      forge.misbehave()
      await other.close()
    }
  })

  it('is the one of r10k.yaml where there is one, which gets the header of that file and nobody else', async () => {
    const [folder, other] = [scratchFolder('r10k-forge'), await openForge()]
    const file = join(folder, 'r10k.yaml')
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, 'of-settings\n', { mode: 0o600 })
    const written = (...keys: readonly string[]) =>
      writeFileSync(file, `sources: {one: {remote: /srv/one.git}}\nforge: {${keys.join(', ')}}\n`)
    const settings = {
      ...fetcherDefaults,
      ...testSources(file),
      forge_token_file: tokenFile,
      module_repository: forge.url,
    }
    const seen = async (source: ModuleSource = { kind: 'forge', version: '1.0.0' }) => {
      const place = { gitDir: emptyRepository(), quarantine: false }
      const here = openModuleFetcher(
        place,
        { ...settings, puppetfile_sources: [other.url] },
        await getServerForge(settings, localFiles),
      )
      const before = [forge.requests.length, other.requests.length]
      try {
        await here.fetch(declared(source, { name: 'r10k' }), request)
        const asked = [forge.requests.length - before[0]!, other.requests.length - before[1]!].map((count) => count > 0)
        return { asked, authorization: (asked[1] ? other : forge).headers.authorization }
      } catch (error) {
        return { error: (error as Error).message }
      } finally {
        await here.close()
      }
    }
    try {
      for (const each of [forge, other]) await each.publish({ slug: 'acme-r10k', version: '1.0.0', files: {} })
      written()
      expect(await seen()).toEqual({ asked: [true, false], authorization: 'Bearer of-settings' })
      written(`baseurl: "${other.url}/"`)
      expect(await seen()).toEqual({ asked: [false, true], authorization: undefined })
      written(`baseurl: "${other.url}"`, 'authorization_token: "Token of-r10k"')
      expect(await seen()).toEqual({ asked: [false, true], authorization: 'Token of-r10k' })
      written('authorization_token: "Bearer of-r10k"')
      expect(await seen()).toEqual({ asked: [true, false], authorization: 'Bearer of-r10k' })
      // One that the Puppetfile names itself is told nothing.
      const named = { kind: 'forge', version: '1.0.0', forge: other.url } as const
      expect(await seen(named)).toEqual({ asked: [false, true], authorization: undefined })
      rmSync(file)
      expect(await seen()).toEqual({ error: expect.stringMatching(/Could not read the code_sources file .*: /) })
      expect(await seen(named)).toEqual({ asked: [false, true], authorization: undefined })
    } finally {
      await other.close()
    }
  })

  it('is asked through the proxy of r10k.yaml, and nobody else is', async () => {
    const proxy = await openForwardProxy('me:s3cret')
    const other = await openForge()
    const file = join(scratchFolder('r10k-proxy'), 'r10k.yaml')
    writeFileSync(file, `sources: {one: {remote: /srv/one.git}}\nproxy: "http://me:s3cret@127.0.0.1:${proxy.port}"\n`)
    const settings = { ...fetcherDefaults, ...testSources(file), module_repository: forge.url }
    const place = { gitDir: emptyRepository(), quarantine: false }
    const allowed = { ...settings, puppetfile_sources: [other.url] }
    const here = openModuleFetcher(place, allowed, await getServerForge(settings, localFiles))
    try {
      for (const each of [forge, other]) await each.publish({ slug: 'acme-proxied', version: '1.0.0', files: {} })
      await here.fetch(declared({ kind: 'forge', version: '1.0.0' }, { name: 'proxied' }), request)
      const named = { kind: 'forge', version: '1.0.0', forge: other.url } as const
      await here.fetch(declared(named, { name: 'proxied' }), request)
      expect(proxy.asked).toEqual([
        expect.stringContaining(`GET ${forge.url}/v3/releases/acme-proxied-1.0.0?`),
        expect.stringContaining(`GET ${forge.url}/v3/files/`),
      ])
    } finally {
      await Promise.all([here.close(), proxy.close(), other.close()])
    }
  })

  const wrong: readonly (readonly [what: string, publish: object | undefined, words: RegExp])[] = [
    ['is unknown', undefined, /does not exist on http/],
    [
      'has another checksum',
      { about: { file_sha256: '0'.repeat(64) } },
      /the archive has the SHA-256 \w+ instead of 0000/,
    ],
    ['has another md5', { about: { file_md5: '0'.repeat(32), file_sha256: undefined } }, /the archive has the MD5/],
    [
      'has no checksum',
      { about: { file_md5: '', file_sha256: null } },
      /has no checksum of acme-wrong_has_no_checksum-1\.0\.0/,
    ],
    [
      'was deleted',
      { about: { deleted_at: '2024', deleted_for: 'a\u001b[31mreason' } },
      /was deleted from the Forge: a\\x1b\[31mreason/,
    ],
    ['is of another version', { about: { version: '1.0.1' } }, /it describes version 1\.0\.1/],
    ['is elsewhere', { about: { file_uri: 'http://169.254.169.254/latest' } }, /169\.254.*not in puppetfile_sources/],
    [
      'has an address that is none',
      { about: { file_uri: '//x:y' } },
      /returned an invalid response: file_uri .*is not a valid URL/,
    ],
    ['is no archive', { archive: Buffer.from('hello') }, /the archive cannot be read/],
    [
      'is half an archive',
      { archive: Buffer.from(gzipSync('x'.repeat(9000))).subarray(0, 30) },
      /the archive cannot be read/,
    ],
    ['has no metadata.json', { archive: undefined, bare: true }, /No valid metadata\.json found!/],
  ]
  it.each(wrong)('that %s is refused', async (what, publish, words) => {
    const name = `wrong_${what.replace(/\W/g, '_')}`
    if (publish) {
      const archive = 'bare' in publish ? await tgzOf({ 'top/x': 'x' }) : undefined
      await forge.publish({
        slug: `acme-${name}`,
        version: '1.0.0',
        files: {},
        ...publish,
        ...(archive && { archive }),
      })
    }
    const here = fetcher()
    expect(await complaint(here, declared({ kind: 'forge', version: '1.0.0' }, { name }))).toMatch(words)
    expect(here.git('for-each-ref')).toBe('')
    expect(here.git('count-objects', '-v')).toMatch(/^count: 0\n[\s\S]*in-pack: 0\n/)
  })

  it.each([
    ['garbage', '<html>', /returned an invalid response: /],
    ['another shape', '[]', /must be an object/],
    ['nesting', '['.repeat(100_000), /nesting of \d+ is too deep/],
    ['more than is read', `"${'x'.repeat(5 * 1024 * 1024)}"`, /exceeds 4194304 bytes/],
  ])('answers %s', async (_, body, words) => {
    forge.misbehave((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      return true
    })
    try {
      expect(await complaint(fetcher(), release('latest'))).toMatch(words)
    } finally {
      forge.misbehave()
    }
  })
})

describe('a hostile archive', () => {
  const top = 'acme-x-1.0.0'
  const link = (linkname: string) => ({ type: 'symlink', linkname }) as const
  const cases: readonly (readonly [what: string, entries: ArchiveEntries, words: RegExp])[] = [
    ['leads out', [['../../etc/x', 'x']], /the path contains '\.\.'/],
    ['leads out within', [[`${top}/a/../../../x`, 'x']], /the path contains '\.\.'/],
    ['is absolute', [['/etc/x', 'x']], /the path is absolute/],
    ['writes to git', [[`${top}/.git/hooks/x`, 'x']], /Git reserves the path/],
    ['writes to git in capitals', [[`${top}/.GIT/config`, 'x']], /Git reserves the path/],
    ['writes to git on NTFS', [[`${top}/git~1/config`, 'x']], /Git reserves the path/],
    ['writes to git with a period', [[`${top}/.git. /config`, 'x']], /Git reserves the path/],
    ['has a path that nobody sees', [[`${top}/a\u202egpj.pp`, 'x']], /unprintable characters/],
    ['has a new line in a path', [[`${top}/a\nM 100644 x`, 'x']], /unprintable characters/],
    ['has a backslash', [[`${top}/..\\..\\x`, 'x']], /a backslash/],
    [
      'has a path twice',
      [
        [`${top}/a`, '1'],
        [`${top}/a`, '2'],
      ],
      /the path occurs twice/,
    ],
    [
      'has a path in two spellings',
      [
        [`${top}/\u00e9`, '1'],
        [`${top}/e\u0301`, '2'],
      ],
      /the path occurs twice/,
    ],
    [
      'has a file that is a folder',
      [
        [`${top}/a`, '1'],
        [`${top}/a/b`, '2'],
      ],
      /its parent .* is a file/,
    ],
    [
      'has a folder that is a file',
      [
        [`${top}/a/b`, '1'],
        [`${top}/a`, '2'],
      ],
      /the path occurs twice/,
    ],
    ['has a device', [[`${top}/a`, { type: 'character-device' }]], /the entry type character-device is not supported/],
    ['has a pipe', [[`${top}/a`, { type: 'fifo' }]], /the entry type fifo is not supported/],
    [
      'has a hard link',
      [[`${top}/a`, { type: 'link', linkname: '/etc/passwd' }]],
      /the entry type link is not supported/,
    ],
    ['has a link that leads out', [[`${top}/a`, link('../../x')]], /the symbolic link points outside the archive/],
    ['has a link out of the module', [[`${top}/a`, link('../x')]], /the symbolic link points outside the module/],
    [
      'has a link to git',
      [[`${top}/a/b`, link('../.git')]],
      /the symbolic link points to a directory that Git reserves/,
    ],
    [
      'has a link into git',
      [[`${top}/a`, link('.git/config')]],
      /the symbolic link points to a directory that Git reserves/,
    ],
    [
      'has a link to git on NTFS',
      [[`${top}/a`, link('./GIT~1/x')]],
      /the symbolic link points to a directory that Git reserves/,
    ],
    ['has an absolute link', [[`${top}/a`, link('/etc/passwd')]], /the symbolic link points outside the archive/],
    [
      'has a link through a link',
      [
        [`${top}/d/e/a`, link('..')],
        [`${top}/d/e/b`, link('a/../../../x')],
      ],
      /link/,
    ],
    ['is too deep', [[`${top}/${'a/'.repeat(80)}x`, 'x']], /directories deep/],
    ['has a long path', [[`${top}/${'a'.repeat(1100)}`, 'x']], /the path exceeds 1024 bytes/],
    ['is large', [[`${top}/a`, Buffer.alloc(3 * 1024 * 1024, 'abcdefgh')]], /its uncompressed size exceeds \d+ bytes/],
    [
      'has many entries',
      Array.from({ length: 50_001 }, (_, at) => [`${top}/${at}`, ''] as const),
      /it has more than \d+ files and directories/,
    ],
  ]
  it.each(cases)('that %s is refused', async (_, entries, words) => {
    const bytes = await tgzOf([[`${top}/metadata.json`, '{}'], ...(entries as readonly (readonly [string, string])[])])
    const { url, requests } = forge
    forge.misbehave((_request, response) => {
      response.end(bytes)
      return true
    })
    try {
      const here = fetcher({
        puppetfile_sources: [url],
        max_module_bytes: 2 * 1024 * 1024 * (words.source.includes('files and directories') ? 20 : 1),
      })
      const module = declared({ kind: 'tarball', url: `${url}/x.tar.gz`, sha256: undefined })
      expect(await complaint(here, module)).toMatch(words)
      expect(requests.length).toBeGreaterThan(0)
      expect(here.git('count-objects', '-v')).toMatch(/^count: 0\n[\s\S]*in-pack: 0\n/)
      expect(here.git('for-each-ref')).toBe('')
    } finally {
      forge.misbehave()
    }
  })

  it('that never ends is given up', async () => {
    forge.misbehave((_request, response) => {
      response.writeHead(200)
      response.write(gzipSync(Buffer.alloc(10)))
      return true
    })
    try {
      const here = fetcher({ puppetfile_sources: [forge.url], module_fetch_timeout: 1 })
      const module = declared({ kind: 'tarball', url: `${forge.url}/x.tar.gz`, sha256: undefined })
      expect(await complaint(here, module)).toMatch(/line 7/)
    } finally {
      forge.misbehave()
    }
  })

  it('that bursts, or is larger than is taken, is refused early', async () => {
    const tar = await tarOf({ 'x/metadata.json': '{}', 'x/zeros': Buffer.alloc(40 * 1024 * 1024) })
    const bomb = gzipSync(tar)
    forge.misbehave((_request, response) => {
      response.end(bomb)
      return true
    })
    try {
      const module = declared({ kind: 'tarball', url: `${forge.url}/x.tar.gz`, sha256: undefined })
      const listed = { puppetfile_sources: [forge.url] }
      expect(bomb.length * 200).toBeLessThan(tar.length)
      expect(await complaint(fetcher(listed), module)).toMatch(/its uncompressed size exceeds \d+ bytes/)
      expect(await complaint(fetcher({ ...listed, max_module_archive_bytes: 1000 }), module)).toMatch(
        /has more than 1000 bytes/,
      )
    } finally {
      forge.misbehave()
    }
  })
})

describe('other modules', () => {
  it('are an archive by its digest, and content of the control repository', async () => {
    const bytes = await tgzOf(packedModule('acme-t', '1.0.0', { a: '1', l: { type: 'symlink', linkname: 'a' } }))
    const { hash } = await import('node:crypto')
    const sha256 = hash('sha256', bytes, 'hex')
    forge.misbehave((_request, response) => {
      response.end(bytes)
      return true
    })
    const here = fetcher({ puppetfile_sources: [forge.url] })
    try {
      const source = { kind: 'tarball', url: `${forge.url}/t.tar.gz`, sha256 } as const
      const got = await here.fetch(declared(source), request)
      expect([got.resolved, Object.keys(here.filesOf(got.tree))]).toEqual([sha256, ['a', 'l', 'metadata.json']])
      const before = forge.requests.length
      expect(await here.fetch(declared(source), request)).toEqual(got)
      expect(forge.requests.length).toBe(before)
      expect(await complaint(here, declared({ ...source, sha256: '1'.repeat(64) }))).toMatch(/instead of 1111/)
    } finally {
      forge.misbehave()
    }
    host.commit('control', { 'modules/a/manifests/init.pp': 'class a {}\n' })
    const store = join(host.folder, 'control.git')
    const own = fetcher({}, store)
    const oid = host.git('control', 'rev-parse', 'main')
    expect(
      Object.keys(own.filesOf((await own.fetch(declared({ kind: 'local' }), { ...request, commit: oid })).tree)),
    ).toEqual(['manifests/init.pp'])
    const missing = declared({ kind: 'local' }, { path: 'modules/b' })
    expect(await complaint(own, missing, { commit: oid })).toMatch(/has no directory modules\/b/)
    expect(existsSync(join(store, 'plumb-incoming'))).toBe(false)
  })
})
