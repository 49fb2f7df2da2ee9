import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toListIssuer } from '../../../src/ca/certificate-profile.ts'
import { parseCertificate } from '../../../src/ca/x509/certificate.ts'
import { formatDistinguishedName } from '../../../src/ca/x509/distinguished-name.ts'
import { parsePrivateKey } from '../../../src/ca/x509/keys.ts'
import {
  buildRevocationList,
  listEntrySerials,
  listRevocations,
  parseRevocationLists,
  toRevocationListPem,
} from '../../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../../src/ca/x509/signature.ts'
import { requestFor } from '../../ca/fixture.ts'
import { openssl } from '../../ca/x509/openssl.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Debian's `puppetserver ca`, the real one. */
const tool = '/usr/bin/puppetserver'
const without = existsSync(tool) || process.env.CI === 'true' ? '' : ' (left out: puppetserver is not installed)'

let repository: ControlRepository
let server: RunningServer
let config: string

/** Runs the real tool on this puppet.conf. */
async function real(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await execa(tool, ['ca', ...words, '--config', config], { reject: false })
  return { status: exitCode, out: stdout, err: stderr }
}

/** A puppet.conf of the real tool. */
function configIn(folder: string, settings: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'puppet.conf')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(path, `[main]\n${lines.join('')}`)
  return path
}

async function submit(...names: readonly string[]): Promise<void> {
  const url = `https://localhost:${server.port}/puppet-ca/v1/certificate_request`
  for (const name of names) {
    const pem = await requestFor(name)
    await execa(
      'curl',
      ['-sk', '-X', 'PUT', '-H', 'Content-Type: text/plain', '--data-binary', '@-', `${url}/${name}`],
      {
        input: pem,
      },
    )
  }
}

describe.skipIf(without !== '')(`the real puppetserver ca and our server${without}`, () => {
  beforeAll(async () => {
    repository = controlRepository({ 'manifests/site.pp': '' })
    server = await startServer({ repository: repository.bare, settings: { autosign: 'false', server_key_type: 'rsa' } })
    const folder = scratchFolder('real-tool')
    const { confdir } = server
    config = configIn(folder, {
      certname: 'localhost',
      server: 'localhost',
      serverport: String(server.port),
      ssldir: join(confdir, 'ssl'),
      cadir: join(confdir, 'ca'),
      keylength: '2048',
    })
  })
  afterAll(async () => {
    await server?.stop()
  })

  /** One tool's words, with fingerprints, the names' first letter and the layout of errors taken out. */
  const plain = (text: string, letter: string) =>
    text
      .replaceAll(/([0-9A-F]{2}:)+[0-9A-F]{2}/g, 'PRINT')
      .replaceAll(/Error:\s+/g, 'Error: ')
      .replaceAll(new RegExp(`\\b${letter}(?=[0-9]\\.test)`, 'g'), 'x')
      .trim()

  /** Does the same by the real tool, over HTTPS, and by ours, each on names of its own; compares all that can be seen. */
  async function both(...words: readonly string[]) {
    const as = (letter: string) => words.map((word) => word.replaceAll('@', letter))
    const theirs = await real(...as('r'))
    const { exitCode, stdout, stderr } = await plumb(['ca', ...as('p'), ...server.places])
    const ours = { status: exitCode, out: plain(String(stdout), 'p'), err: plain(String(stderr), 'p') }
    expect(ours).toEqual({ status: theirs.status, out: plain(theirs.out, 'r'), err: plain(theirs.err, 'r') })
    return theirs
  }

  it('says and does the same as plumb ca, action by action', async () => {
    expect((await both('list')).out).toBe('No certificates to list')
    await submit('r1.test', 'p1.test')
    expect((await both('list', '--certname', '@1.test')).status).toBe(0)
    expect((await both('list', '--certname', '@1.test,none')).status).toBe(1)
    expect((await both('revoke', '--certname', '@1.test')).status).toBe(24)
    expect((await both('clean', '--certname', '@1.test')).status).toBe(24)
    await submit('r2.test', 'p2.test', 'r3.test', 'p3.test')
    expect((await both('sign', '--certname', '@2.test,@3.test')).status).toBe(0)
    expect((await both('sign', '--certname', 'none')).status).toBe(1)
    expect((await both('sign', '--all')).status).toBe(24)
    expect((await both('list')).status).toBe(0)
    expect((await both('revoke', '--certname', '@2.test')).out).toBe('Certificate for r2.test has been revoked')
    expect((await both('revoke', '--certname', '@2.test,none')).status).toBe(1)
    expect((await both('list', '--certname', '@2.test,@3.test')).out).toContain('Revoked Certificates:\n    r2.test')
    expect((await both('clean', '--certname', '@3.test')).status).toBe(0)
    expect((await both('clean', '--certname', '@3.test,none')).status).toBe(1)
    await submit('r4.test', 'p4.test')
    expect((await real('sign', '--certname', 'p4.test,r4.test', '--ttl', '10d')).status).toBe(0)
    const { notAfter } = parseCertificate(readFileSync(join(server.confdir, 'ca/signed/r4.test.pem'), 'utf8'))
    expect(Math.round((notAfter.getTime() - Date.now()) / 86_400_000)).toBe(10)
  })

  it.each([
    [['list', '--all', '--format', 'json']],
    [['list', '--all']],
    [['list', '--format', 'json']],
    [['list', '--certname', 'p2.test,none', '--format', 'json']],
  ])('gives the same for %j', async (words) => {
    const theirs = await real(...words)
    const ours = await plumb(['ca', ...words, ...server.places])
    const parsed = (text: string) => (words.includes('json') ? JSON.parse(text) : text.split('\n').sort())
    expect([ours.exitCode, parsed(String(ours.stdout))]).toEqual([theirs.status, parsed(theirs.out)])
  })

  it('generates a certificate over HTTPS, which then is refused a second time', async () => {
    const { status, out } = await real('generate', '--certname', 'g1.test')
    expect([status, out]).toEqual([0, expect.stringContaining('Successfully saved certificate for g1.test to ')])
    expect(existsSync(join(server.confdir, 'ssl/certs/g1.test.pem'))).toBe(true)
    expect((await real('generate', '--certname', 'g1.test')).status).toBe(1)
  })

  it('does nothing offline while we serve', async () => {
    for (const words of [['prune'], ['generate', '--ca-client', '--certname', 'admin.test']]) {
      const { status, err } = await real(...words)
      expect([status, err]).toEqual([1, expect.stringContaining('Puppetserver service is running')])
    }
  })

  it('is told no by our rules without the certificate of an administrator', async () => {
    const mine = config
    const lines = readFileSync(mine, 'utf8').replace('certname = localhost', 'certname = g1.test')
    config = join(scratchFolder('real-tool'), 'puppet.conf')
    writeFileSync(config, lines)
    const { status, err } = await real('list', '--all')
    config = mine
    expect([status, err]).toEqual([1, expect.stringContaining('403')])
  })
})

describe.skipIf(without !== '')(`the real puppetserver ca offline, on our folders${without}`, () => {
  /** A port that nobody listens on. */
  const closed = '1'
  const settingsIn = (folder: string) => ({
    ...{ certname: 'ca.test', server: 'localhost', serverport: closed, keylength: '2048' },
    ...{ ssldir: join(folder, 'ssl'), cadir: join(folder, 'ca') },
  })
  const verify = (folder: string, name: string) =>
    openssl(
      ...['verify', '-crl_check_all', '-CAfile', join(folder, 'ca/ca_crt.pem')],
      ...['-CRLfile', join(folder, 'ca/ca_crl.pem'), join(folder, `ca/signed/${name}.pem`)],
    )
  const ours = (folder: string, ...words: readonly string[]) => plumb(['ca', ...words, '--confdir', folder])

  it('sets an authority up that we take over, and both sign with it in turn', async () => {
    const folder = scratchFolder('theirs')
    config = configIn(folder, settingsIn(folder))
    expect((await real('setup')).out).toContain('Generation succeeded.')
    expect((await ours(folder, 'generate', 'one.test')).exitCode).toBe(0)
    expect((await real('generate', '--ca-client', '--certname', 'two.test')).status).toBe(0)
    expect((await ours(folder, 'generate', 'three.test')).exitCode).toBe(0)
    const names = ['ca.test', 'one.test', 'two.test', 'three.test']
    const serials = names.map(
      (name) => parseCertificate(readFileSync(join(folder, `ca/signed/${name}.pem`), 'utf8')).serial,
    )
    expect(serials).toEqual([1n, 2n, 3n, 4n])
    for (const name of names) expect(verify(folder, name)).toContain('OK')
    expect((await ours(folder, 'revoke', 'two.test')).exitCode).toBe(0)
    expect(() => verify(folder, 'two.test')).toThrow('certificate revoked')
    expect(verify(folder, 'three.test')).toContain('OK')
  })

  it.each(['rsa', 'ec'])('works on an %s authority that we set up', async (key_type) => {
    const folder = scratchFolder('ours')
    config = configIn(folder, settingsIn(folder))
    const words = ['setup', '--certname', 'ca.test', '--key_type', key_type, '--keylength', '2048']
    expect((await ours(folder, ...words)).exitCode).toBe(0)
    expect((await real('generate', '--ca-client', '--certname', 'two.test')).status).toBe(0)
    expect((await ours(folder, 'generate', 'three.test')).exitCode).toBe(0)
    for (const name of ['ca.test', 'two.test', 'three.test']) expect(verify(folder, name)).toContain('OK')
    expect((await ours(folder, 'list', '--all')).stdout).toContain('two.test')
  })

  it('prunes what we prune', async () => {
    const folder = scratchFolder('prune')
    config = configIn(folder, settingsIn(folder))
    await ours(folder, 'setup', '--certname', 'ca.test', '--keylength', '2048')
    await ours(folder, 'generate', 'a.test,b.test')
    await ours(folder, 'revoke', 'a.test,b.test')
    const file = join(folder, 'ca/ca_crl.pem')
    const twice = await doubled(folder)
    writeFileSync(file, twice)
    const theirs = await real('prune')
    const left = () => listEntrySerials(parseRevocationLists(readFileSync(file, 'utf8'))[0]!)
    const [theirList, again] = [left(), await real('prune')]
    writeFileSync(file, twice)
    const our = await ours(folder, 'prune')
    expect([our.exitCode, our.stdout]).toEqual([theirs.status, theirs.out.trim()])
    expect(left()).toEqual(theirList)
    expect((await ours(folder, 'prune')).stdout).toBe(again.out.trim())
  })

  it('enables the list of infrastructure nodes as we do', async () => {
    const folder = scratchFolder('infra')
    config = configIn(folder, settingsIn(folder))
    await ours(folder, 'setup', '--certname', 'ca.test', '--keylength', '2048')
    const file = join(folder, 'ca/infra_crl.pem')
    const refused = [await real('enable', '--infracrl'), await ours(folder, 'enable', '--infracrl')] as const
    expect([refused[0].status, refused[1].exitCode]).toEqual([1, 1])
    const said: unknown[] = []
    for (const tool of ['real', 'ours']) {
      rmSync(file)
      const { status, out } =
        tool === 'real'
          ? await real('enable', '--infracrl')
          : await ours(folder, 'enable', '--infracrl').then(({ exitCode, stdout }) => ({
              status: exitCode,
              out: stdout,
            }))
      said.push([
        status,
        out,
        parseRevocationLists(readFileSync(file, 'utf8')).map(({ issuer }) => formatDistinguishedName(issuer)),
      ])
    }
    expect(said[1]).toEqual(said[0])
    await ours(folder, 'generate', 'infra.test,node.test')
    writeFileSync(join(folder, 'ca/infra_inventory.txt'), 'infra.test\n')
    await ours(folder, 'revoke', 'infra.test,node.test')
    const count = (name: string) =>
      listEntrySerials(parseRevocationLists(readFileSync(join(folder, 'ca', name), 'utf8'))[0]!).length
    expect([count('ca_crl.pem'), count('infra_crl.pem')]).toEqual([2, 1])
  })
})

/** The list of an authority with each entry twice. */
async function doubled(folder: string): Promise<string> {
  const read = (name: string) => readFileSync(join(folder, 'ca', name), 'utf8')
  const certificate = parseCertificate(read('ca_crt.pem'))
  const [previous] = parseRevocationLists(read('ca_crl.pem'))
  const span = { thisUpdate: previous!.thisUpdate, nextUpdate: previous!.nextUpdate! }
  const list = await buildRevocationList(
    toListIssuer({ certificate, signer: createKeySigner(parsePrivateKey(read('ca_key.pem'))) }),
    {
      ...{ previous: previous!, added: listRevocations(previous!), ...span },
    },
  )
  return toRevocationListPem(list)
}
