import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa, execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { packGem } from '../../node/gems/packed-gem.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { eventually } from '../../support/eventually.js'
import { isNight } from '../../support/nightly.ts'
import { startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import {
  type ConnectedSite,
  openConnectedSite,
  openIsolatedSite,
  openSite,
  requireSuccess,
  type Site,
} from './bundle-sites.ts'

/** Moments at which an import is killed, in milliseconds from its start on; a longer list in the nights. */
const moments = isNight ? Array.from({ length: 40 }, (_, at) => at * 60) : [300, 600, 900, 1300]

const motd = (source: string) => `class motd {
  file { '/motd': source => 'puppet:///modules/motd/${source}' }
  notify { 'secret': message => Sensitive('geheim') }
}
`

let site: ConnectedSite
let module: ReturnType<typeof controlRepository>
let first: string
let older: string
let newer: string
beforeAll(async () => {
  module = controlRepository({ 'manifests/init.pp': motd('motd'), 'files/motd': 'first\n' })
  site = await openConnectedSite(
    {
      Puppetfile: `mod 'motd', git: '${module.bare}', branch: 'production'\n`,
      'manifests/site.pp': 'include motd\n',
    },
    sources(),
  )
  writeFileSync(join(site.folder, 'facts/web1.test.json'), '{}')
  older = await site.create('production', '--nodes', 'web1.test')
  first = site.git('rev-parse', 'production')
  module.push({ 'files/motd': 'second\n' })
  site.control.push({ 'manifests/site.pp': "include motd\nnotify { 'new': }\n" })
  newer = await site.create('production', '--nodes', 'web1.test')
}, 180_000)

const sources = () => ['--puppetfile_sources', module.folder]
const trust = () => ['--trusted-ca', site.trusted]
const commitOf = (bundle: string) => site.git('bundle', 'list-heads', extracted(bundle)).split('\n')

/** The Git bundle within a bundle. */
function extracted(bundle: string): string {
  const folder = scratchFolder('extracted')
  execaSync('tar', ['-xf', bundle, '-C', folder])
  return join(folder, 'code.bundle')
}

describe('plumb bundle create', () => {
  it('writes a tar archive that only its owner reads, with a Git bundle that git reads', () => {
    expect(statSync(newer).mode & 0o777).toBe(0o600)
    expect(execaSync('tar', ['-tf', newer]).stdout.split('\n')).toEqual([
      'signature.jws',
      'manifest.json',
      'code.bundle',
      expect.stringMatching(/^catalogs\/[0-9a-f]{64}\.json$/),
    ])
    expect(commitOf(newer)).toEqual([
      `${site.git('rev-parse', 'production')} refs/heads/production`,
      expect.stringMatching(/^[0-9a-f]{40} refs\/plumb\/deployed\/production$/),
    ])
    const clone = join(scratchFolder('clone'), 'clone')
    execaSync('git', ['clone', '--quiet', '--branch', 'production', extracted(newer), clone])
    expect(readFileSync(join(clone, 'manifests/site.pp'), 'utf8')).toContain('include motd')
  })

  it('gives the same bytes for the same commits', async () => {
    const [one, other] = [await site.create('production', '--unsigned'), await site.create('production', '--unsigned')]
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
  })

  it('needs a key, a branch and known facts', async () => {
    const lone = openSite(site.repository)
    const output = join(lone.folder, 'x.bundle')
    const create = (...words: string[]) => lone.plumb('bundle', 'create', ...words, '-o', output)
    expect((await create('production')).stderr).toMatch(/The key that signs bundles does not exist.*\n.*--unsigned/)
    expect((await create('productoin', '--unsigned')).stderr).toContain("branch of the environment 'productoin'")
    const failed = await create('production', '--unsigned', '--nodes', 'all', ...sources())
    expect(failed.stderr).toContain('No nodes are known for the environments of the bundle')
    expect([failed.exitCode, existsSync(output)]).toEqual([1, false])
  })

  it('replaces only a regular file', async () => {
    const lone = openSite(site.repository)
    const [pipe, link] = ['pipe', 'link'].map((name) => join(lone.folder, name)) as [string, string]
    execaSync('mkfifo', [pipe])
    symlinkSync(pipe, link)
    for (const output of [pipe, link]) {
      const rejected = await lone.plumb('bundle', 'create', 'production', '--unsigned', '-o', output)
      expect(rejected.stderr).toContain(`Could not write to ${output}: it is not a regular file`)
      expect(rejected.exitCode).toBe(1)
    }
    expect([statSync(pipe).isFIFO(), statSync(link).isFIFO()]).toEqual([true, true])
  })

  it('leaves no compiled catalogs behind if it is interrupted', async () => {
    const temporary = scratchFolder('interrupted')
    const list = () => readdirSync(temporary).filter((name) => name.startsWith('plumb-bundle-'))
    const output = join(temporary, 'x.bundle')
    const [program = '', ...words] = site.words('bundle', 'create', 'production', '-o', output, ...sources())
    const running = execa(program, words, { reject: false, env: { TMPDIR: temporary } })
    await eventually(() => list().length)
    running.kill('SIGTERM')
    expect([(await running).exitCode, list()]).toEqual([143, []])
  })

  it('writes nothing if a catalog does not compile', async () => {
    const broken = controlRepository({ 'manifests/site.pp': "fail('no catalog')\n" })
    const lone = openSite(broken.bare)
    const output = join(lone.folder, 'x.bundle')
    const failed = await lone.plumb('bundle', 'create', 'production', '--unsigned', '--nodes', 'a.test', '-o', output)
    expect(failed.stderr).toContain('a.test: Evaluation Error: Error while evaluating a Function Call, no catalog')
    expect([failed.exitCode, existsSync(output)]).toEqual([1, false])
  })

  it('encrypts the secrets of a catalog for the certificate of its node', async () => {
    await requireSuccess(site.plumb('ca', 'generate', '--certname', 'web1.test'))
    const plain = execaSync('tar', ['-xOf', newer]).stdout
    expect(plain).toContain('geheim')
    const bundle = await site.create('production', '--nodes', 'web1.test', '--catalog_secrets', 'encrypt')
    expect(execaSync('tar', ['-xOf', bundle]).stdout).not.toContain('geheim')
    const node = openSite(site.repository)
    const words = ['--agent_root', join(node.folder, 'root'), '--certname', 'web1.test', ...trust()]
    const foreign = await node.plumb('bundle', 'apply', bundle, ...words)
    expect(foreign.stderr).toContain('the private key of this node does not exist')
    const key = join(site.folder, 'etc/ssl/private_keys/web1.test.pem')
    const own = await requireSuccess(node.plumb('bundle', 'apply', bundle, ...words, '--hostprivkey', key))
    expect(own.stdout).toContain('Sensitive [value redacted]')
  })
})

describe('plumb bundle show and verify', () => {
  it('print the content and the signer', async () => {
    const shown = await requireSuccess(site.plumb('bundle', 'show', newer, '--render-as', 'json', ...trust()))
    expect(JSON.parse(String(shown.stdout))).toMatchObject({
      signature: { valid: true, signer: '_catalogs.localhost', reason: null },
      since: [],
      environments: [{ name: 'production', ref: 'refs/heads/production', commit: site.git('rev-parse', 'production') }],
      catalogs: [{ node: 'web1.test', environment: 'production' }],
    })
    const text = await requireSuccess(site.plumb('bundle', 'show', newer, ...trust()))
    expect(text.stdout).toMatch(/^catalog {6}web1\.test, environment production$/m)
    const verified = await requireSuccess(site.plumb('bundle', 'verify', newer, ...trust()))
    expect(verified.stdout).toMatch(/all files are intact, signed .* by _catalogs\.localhost$/)
  })

  it('name the reason if the signer is not trusted', async () => {
    const other = openSite(site.repository)
    await requireSuccess(other.plumb('ca', 'setup'))
    const words = ['--trusted-ca', join(other.folder, 'etc/ca/ca_crt.pem')]
    const verified = await other.plumb('bundle', 'verify', newer, ...words)
    expect([verified.exitCode, verified.stderr]).toEqual([1, expect.stringContaining('which is not trusted')])
    const shown = await requireSuccess(other.plumb('bundle', 'show', newer, ...words))
    expect(shown.stdout).toContain('signature    not verified: The bundle was signed by')
  })
})

describe('revocation lists', () => {
  it('are required, so that a revoked signer is not accepted without them', async () => {
    const lone = openSite(site.repository)
    const verify = (...words: string[]) =>
      lone.plumb('bundle', 'verify', newer, '--trusted-ca', join(site.folder, 'etc/ca/ca_crt.pem'), ...words)
    const rejected = await verify()
    expect(rejected.stderr).toMatch(/is not trusted: The CRL issued by '.*' is missing\n.*revocation lists/)
    expect([rejected.exitCode, rejected.stdout]).toEqual([1, ''])
    await requireSuccess(verify('--certificate_revocation', 'false'))
  })
})

describe('plumb bundle import', () => {
  it('serves the code on a machine without network, where the modules cannot be fetched', async () => {
    const isolated = openIsolatedSite()
    const imported = await requireSuccess(isolated.plumb('bundle', 'import', older, ...trust()))
    expect(imported.stdout).toMatch(/^production: created, serves [0-9a-f]{40}$/m)
    expect(isolated.git('rev-parse', 'production')).toBe(first)
    const server = await startServer({ repository: isolated.repository })
    try {
      const updated = await requireSuccess(
        openSite(isolated.repository).plumb('bundle', 'import', newer, ...trust(), ...server.places),
      )
      expect(updated.stderr).toMatch(/production now serves [0-9a-f]{40}/)
      const root = scratchFolder('agent')
      const [confdir, vardir] = [join(root, 'etc'), join(root, 'var')]
      const words = ['agent', '--onetime', '--no-daemonize', '--certname', 'web1.test', '--server', 'localhost']
      await requireSuccess(openSite('').plumb('ca', 'generate', '--certname', 'web1.test', ...server.places))
      const node = openSite('')
      for (const folder of ['private_keys', 'certs', 'public_keys'])
        execaSync('mkdir', ['-p', join(confdir, 'ssl', folder)])
      for (const name of ['private_keys/web1.test.pem', 'certs/web1.test.pem'])
        writeFileSync(join(confdir, 'ssl', name), readFileSync(join(server.confdir, 'ssl', name)))
      const run = await node.plumb(
        ...[...words, '--serverport', String(server.port), '--confdir', confdir, '--vardir', vardir],
        ...['--agent_root', join(root, 'root')],
      )
      expect(run.stderr).toBe('')
      expect(readFileSync(join(root, 'root/motd'), 'utf8')).toBe('second\n')
    } finally {
      await server.stop()
    }
  }, 120_000)

  it('rejects an older bundle unless it is forced', async () => {
    const isolated = openIsolatedSite()
    await requireSuccess(isolated.plumb('bundle', 'import', newer, ...trust()))
    const second = isolated.git('rev-parse', 'production')
    const rejected = await isolated.plumb('bundle', 'import', older, ...trust())
    expect(rejected.stderr).toContain('The bundle is older than the code of environment production')
    expect([rejected.exitCode, isolated.git('rev-parse', 'production')]).toEqual([1, second])
    const forced = await requireSuccess(isolated.plumb('bundle', 'import', older, '--force', ...trust()))
    expect(forced.stdout).toContain(`production: updated from ${second}`)
    expect(isolated.git('rev-parse', 'production')).toBe(first)
  })

  it('imports only new commits with --since, and needs their base', async () => {
    const since = await site.create('production', '--since', first)
    const isolated = openIsolatedSite()
    const alone = await isolated.plumb('bundle', 'import', since, ...trust())
    expect(alone.stderr).toContain(`The bundle continues from commit ${first}, which does not exist here`)
    await requireSuccess(isolated.plumb('bundle', 'import', older, ...trust()))
    await requireSuccess(isolated.plumb('bundle', 'import', since, ...trust()))
    expect(isolated.git('rev-parse', 'production')).toBe(site.git('rev-parse', 'production'))
    isolated.git('fsck', '--strict', '--no-dangling')
  })

  it('updates modules of an unchanged branch', async () => {
    const isolated = openIsolatedSite()
    await requireSuccess(isolated.plumb('bundle', 'import', newer, ...trust()))
    const again = openSite(site.repository)
    module.push({ 'files/motd': 'third\n' })
    const path = join(again.folder, 'x.bundle')
    const created = await requireSuccess(
      again.plumb('bundle', 'create', 'production', '--unsigned', '-o', path, ...sources()),
    )
    const [, codeId = ''] = /production: ([0-9a-f]{40})/.exec(String(created.stdout)) ?? []
    const words = ['bundle', 'import', path, '--allow-unsigned', '--force']
    const imported = await requireSuccess(isolated.plumb(...words))
    expect(imported.stderr).toContain('Warning: The bundle is not signed')
    expect(imported.stdout).toMatch(/^production: modules updated from [0-9a-f]{40}, serves /m)
    expect(isolated.git('rev-parse', 'refs/plumb/deployed/production')).toBe(codeId)
    const repeated = await requireSuccess(isolated.plumb(...words))
    expect(repeated.stdout).toBe(`production: unchanged, serves ${codeId}`)
  })

  it('installs the gems of the bundle', async () => {
    const isolated = openIsolatedSite()
    const connected = openSite(controlRepository({ 'manifests/site.pp': '' }).bare)
    await installGem(connected)
    const path = join(connected.folder, 'x.bundle')
    await requireSuccess(connected.plumb('bundle', 'create', 'production', '--unsigned', '-o', path))
    const imported = await requireSuccess(isolated.plumb('bundle', 'import', path, '--allow-unsigned'))
    expect(imported.stdout).toMatch(/^tiny-1\.0\.0: installed$/m)
    expect((await isolated.plumb('gem', 'list')).stdout).toBe('tiny (1.0.0)')
    const node = openIsolatedSite()
    const without = await requireSuccess(
      connected.plumb('bundle', 'create', 'production', '--unsigned', '--no-gems', '-o', path),
    )
    expect(without.stdout).toContain('0 gems')
    await requireSuccess(node.plumb('bundle', 'import', path, '--allow-unsigned'))
    expect((await node.plumb('gem', 'list')).stdout).toBe('')
  })

  it('changes nothing if the hooks reject the code', async () => {
    const broken = await openConnectedSite({ 'manifests/site.pp': 'node {\n' })
    await installGem(broken)
    const bundle = await broken.create('production')
    const isolated = openIsolatedSite()
    const rejected = await isolated.plumb('bundle', 'import', bundle, '--trusted-ca', broken.trusted)
    expect(rejected.stderr).toMatch(/Syntax error.*[\s\S]*The repository rejected refs\/heads\/production/)
    expect([rejected.exitCode, isolated.git('for-each-ref'), isolated.git('count-objects')]).toEqual([
      1,
      '',
      '0 objects, 0 kilobytes',
    ])
    expect(existsSync(join(isolated.folder, 'var/bundles/imported.json'))).toBe(false)
    expect((await isolated.plumb('gem', 'list')).stdout).toBe('')
  }, 60_000)

  it('leaves the old state or the new one if it is killed', async () => {
    const isolated = openIsolatedSite()
    const [program = '', ...words] = isolated.words('bundle', 'import', newer, ...trust())
    for (const moment of moments) {
      const running = execa(program, words, { reject: false })
      // Wall clock: the moment of the kill is of no matter.
      await wait(moment)
      running.kill('SIGKILL')
      await running
      isolated.git('fsck', '--strict', '--no-dangling')
      const refs = isolated.git('for-each-ref', '--format=%(objectname)', 'refs/heads')
      expect(['', site.git('rev-parse', 'production')]).toContain(refs)
    }
    // The git process of the last killed import may still finish its push, or reject it.
    const repeat = () => isolated.plumb('bundle', 'import', newer, ...trust())
    await repeat()
    await requireSuccess(repeat())
    expect(isolated.git('rev-parse', 'production')).toBe(site.git('rev-parse', 'production'))
    expect(readdirSync(join(isolated.folder, 'var/bundles'))).toEqual(['imported.json'])
  }, 120_000)

  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['the signature', (bytes) => flipped(bytes, 700), 'The bundle is damaged or was changed'],
    ['the manifest', (bytes) => flipped(bytes, bytes.indexOf('"code_id"') + 15), 'damaged or was changed'],
    ['the commits', (bytes) => flipped(bytes, bytes.indexOf('PACK') + 40), 'the digest of code.bundle does not match'],
    ['a catalog', (bytes) => flipped(bytes, bytes.indexOf('geheim')), 'does not match'],
    ['the end', (bytes) => flipped(bytes, bytes.length - 3), 'its end is invalid'],
    ['half of it', (bytes) => bytes.subarray(0, bytes.length / 2), 'it is truncated'],
  ])('rejects a bundle if %s was changed, and leaves nothing', async (_, change, why) => {
    const isolated = openIsolatedSite()
    const path = join(isolated.folder, 'x.bundle')
    writeFileSync(path, change(Buffer.from(readFileSync(newer))))
    const rejected = await isolated.plumb('bundle', 'import', path, ...trust())
    expect([rejected.exitCode, rejected.stderr]).toEqual([1, expect.stringContaining(why)])
    expect(isolated.git('for-each-ref')).toBe('')
    expect(readdirSync(join(isolated.folder, 'var/bundles'))).toEqual([])
  })

  it('rejects a bundle without a signature', async () => {
    const unsigned = await site.create('production', '--unsigned')
    const isolated = openIsolatedSite()
    const rejected = await isolated.plumb('bundle', 'import', unsigned, ...trust())
    expect([rejected.exitCode, rejected.stderr]).toEqual([1, expect.stringContaining('The bundle is not signed')])
    expect(isolated.git('for-each-ref')).toBe('')
  })
})

describe('plumb bundle apply', () => {
  it('applies the catalog of the node with the files of the bundle, without network', async () => {
    const node = openIsolatedSite()
    const root = join(node.folder, 'root')
    const apply = (bundle: string, ...words: string[]) =>
      node.plumb('bundle', 'apply', bundle, '--certname', 'web1.test', '--agent_root', root, ...trust(), ...words)
    const noop = await apply(older, '--noop', '--detailed-exitcodes')
    expect([noop.exitCode, existsSync(join(root, 'motd'))]).toEqual([0, false])
    expect((await apply(older, '--detailed-exitcodes')).exitCode).toBe(2)
    expect(readFileSync(join(root, 'motd'), 'utf8')).toBe('first\n')
    await requireSuccess(apply(newer))
    expect(readFileSync(join(root, 'motd'), 'utf8')).toBe('second\n')
    const rolledBack = await apply(older)
    expect(rolledBack.stderr).toContain('The bundle is older than the code of environment production')
    expect(rolledBack.exitCode).toBe(1)
    await requireSuccess(apply(older, '--force'))
    expect(readFileSync(join(root, 'motd'), 'utf8')).toBe('first\n')
    expect(readdirSync(join(node.folder, 'var/bundles'))).toEqual(['applied.json'])
  }, 60_000)

  it('applies no catalog of another node, and none of an incomplete bundle', async () => {
    const node = openIsolatedSite()
    const root = ['--agent_root', join(node.folder, 'root'), ...trust()]
    const foreign = await node.plumb('bundle', 'apply', newer, '--certname', 'web2.test', ...root)
    expect(foreign.stderr).toMatch(/contains no catalog for web2\.test\n.*'web1\.test'/)
    const since = await site.create('production', '--since', first, '--nodes', 'web1.test')
    const incomplete = await node.plumb('bundle', 'apply', since, '--certname', 'web1.test', ...root)
    expect([incomplete.exitCode, incomplete.stderr]).toEqual([1, expect.stringContaining('only the commits since')])
    expect(existsSync(join(node.folder, 'root'))).toBe(false)
  })
})

/** Installs the gem `tiny` on a machine. */
async function installGem({ folder, plumb }: Site): Promise<void> {
  const file = join(folder, 'tiny-1.0.0.gem')
  writeFileSync(file, (await packGem({ name: 'tiny', version: '1.0.0' })).file)
  await requireSuccess(plumb('gem', 'install', '--local', file))
}

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1
  return bytes
}
