import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseCertificate } from '../../../src/ca/x509/certificate.ts'
import { generatePrivateKey, toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { toConnectionError } from '../../../src/network/client/connection-errors.ts'
import { ec } from '../../ca/fixture.ts'
import { expectOnPage } from '../../mistakes/page.ts'
import { everywhere, Rows, told } from '../../mistakes/told.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { expiryOf } from '../../support/eventually.js'
import { hasFaketime, otherClock, withoutFaketime } from '../../support/other-clock.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let repository: ControlRepository
let server: RunningServer
const others: { close(): unknown }[] = []

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  server = await start()
}, 60_000)
afterEach(async () => {
  for (const each of others.splice(0)) await each.close()
})
afterAll(async () => {
  await server?.stop()
})

function start(settings: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  return startServer({ repository: repository.bare, settings: { autosign: 'true', ...settings } })
}

async function another(settings: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const started = await start(settings)
  others.push({ close: () => started.stop() })
  return started
}

/** A port of loopback on which something else listens. */
async function listen(listener: Server): Promise<number> {
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  others.push({ close: () => listener.close() })
  return (listener.address() as AddressInfo).port
}

/** Debian's `nobody`: an ordinary user. */
const nobody = 65534
let count = 0

/** For docs/mistakes.md; real Puppet's words are those of its agent 7.23 in the same place. */
const rows = new Rows()

/** A node in folders of its own, and its commands. */
function newNode() {
  const name = `node${++count}.test`
  const folder = scratchFolder('node')
  const confdir = join(folder, 'etc')
  const run = async (
    words: readonly string[],
    { port = server.port, host = 'localhost', env = {}, uid = undefined as number | undefined } = {},
  ) => {
    const places = ['--confdir', confdir, '--vardir', join(folder, 'var'), '--certname', name]
    const to = ['--server', host, '--serverport', String(port), '--waitforcert', '0', '--key_type', 'ec']
    const options = { reject: false, all: true, env, ...(uid !== undefined && { uid, gid: uid }) } as const
    const { all, exitCode } = await execa(process.execPath, [plumbMain, ...words, ...places, ...to], options)
    return { said: String(all), status: exitCode }
  }
  return {
    name,
    folder,
    ssl: (...path: readonly string[]) => join(confdir, 'ssl', ...path),
    run,
    agent: (options: Parameters<typeof run>[1] = {}, ...more: readonly string[]) =>
      run(['agent', '--test', '--noop', ...more], options),
  }
}

async function enrolled() {
  const node = newNode()
  const { said, status } = await node.agent()
  expect(status, said).toBe(0)
  return node
}

const ca = (...words: readonly string[]) => plumb(['ca', ...words, ...server.places])

/** Tells the server to read its files again. */
async function reload(): Promise<void> {
  const before = server.output().length
  server.process.kill('SIGHUP')
  await expect.poll(() => server.output().slice(before)).toContain('reloaded')
}

describe('a server that is not the right one', () => {
  it('has another authority', async () => {
    const node = await enrolled()
    const { port } = await another({ ca_name: 'Puppet CA: other' })
    const { said, status } = await node.agent({ port })
    expect(status).toBe(1)
    expect(said).toContain(
      'certificate verify failed [self-signed certificate in certificate chain for CN=Puppet CA: other]\n' +
        "  The certificate of localhost was issued by the CA 'CN=Puppet CA: other', which this host does not trust. The server " +
        "is the wrong one, or the CA was re-created. To trust the new CA, run 'plumb ssl clean --localca' on this host",
    )
    expect(said.match(/which this host does not trust/g)).toHaveLength(1)
    const puppet = 'certificate verify failed [self-signed certificate in certificate chain for CN=Puppet CA: other]'
    rows.add('certificates', told('the server has a certificate of another authority', said, puppet))
  })

  it('has an authority that was made anew', async () => {
    const node = await enrolled()
    const { port } = await another()
    const { said, status } = await node.agent({ port })
    expect(status).toBe(1)
    expect(said).toContain(
      'certificate verify failed [self-signed certificate in certificate chain for CN=Puppet CA: localhost]\n' +
        "  The certificate of localhost was issued by a CA 'CN=Puppet CA: localhost' whose key differs from the trusted " +
        'key. The CA was re-created.',
    )
    const puppet =
      'certificate verify failed [self-signed certificate in certificate chain for CN=Puppet CA: localhost]'
    rows.add('certificates', told('the authority was made anew', said, puppet))
    expect((await node.run(['ssl', 'clean', '--localca'], { port })).status).toBe(0)
    expect((await node.agent({ port })).status).toBe(0)
  })

  it('has another name', async () => {
    const { said } = await (await enrolled()).agent({ host: '127.0.0.1' })
    expect(said).toMatch(/Server hostname '127\.0\.0\.1' did not match server certificate; expected one of localhost, /)
    expect(said).toContain('\n  Set server to one of these names, or ')
    const puppet =
      "Server hostname '127.0.0.1' did not match server certificate; expected one of localhost, DNS:localhost"
    rows.add('connections', told('the server is asked by a name that its certificate has not', said, puppet))
  })

  it('speaks plain HTTP', async () => {
    const node = await enrolled()
    const port = await listen(createHttpServer((_, response) => response.end('hello')))
    const { said, status } = await node.agent({ port })
    expect(status).toBe(1)
    expect(said).toMatch(
      /Request to https:\S+ failed after [\d.]+ seconds: (wrong version number|packet length too long)\n/,
    )
    expect(said).toContain(
      `\n  The service on port ${port} of localhost does not use TLS. Check that the setting serverport`,
    )
    expect(said).not.toContain('openssl')
    const puppet = 'SSL_connect returned=1 errno=0 peeraddr=127.0.0.1:PORT state=error: wrong version number'
    rows.add(
      'connections',
      told('the port is one of plain HTTP', said, puppet, 'in ours nothing is of how OpenSSL is called'),
    )
  })

  it('closes the connection at once', async () => {
    const port = await listen(createServer((socket) => socket.destroy()))
    const { said } = await newNode().agent({ port })
    // The system may say that it was reset.
    expect(said).toMatch(
      /\n {2}(The service on port \d+ of localhost does not use TLS|localhost closed the connection)/,
    )
  })

  it('does not listen', async () => {
    const node = await enrolled()
    const silent = createServer()
    const port = await listen(silent)
    await new Promise((done) => silent.close(done))
    const { said, status } = await node.agent({ port })
    expect(status).toBe(1)
    const connecting = `Failed to open TCP connection to localhost:${port}`
    expect(said).toContain(
      `seconds: ${connecting} (Connection refused - connect(2) for "localhost" port ${port})\n` +
        `  No service listens on port ${port} of localhost. Check that the server is running and that the setting serverport has its port.`,
    )
    expect(said.match(/No service listens/g)).toHaveLength(1)
    const puppet =
      'Failed to open TCP connection to localhost:PORT (Connection refused - connect(2) for 127.0.0.1:PORT)'
    rows.add('connections', told('nothing listens on the port', said, puppet, 'ours says the name that was asked for'))
  })

  it('does not answer', async () => {
    const port = await listen(createServer(() => {}))
    const { said } = await newNode().agent({ port }, '--http_connect_timeout', '1')
    expect(said).toMatch(
      /Request to https:\S+ timed out connect operation after [\d.]+ seconds\n {2}Port \d+ of localhost does not respond\./,
    )
    rows.add('connections', told('a firewall drops what is sent', said, 'timed out connect operation after N seconds'))
  })

  it('has a name that nobody knows', async () => {
    const { said, status } = await newNode().agent({ host: 'nosuch.invalid' })
    expect(status).toBe(1)
    // Without any name server to ask, the system says the latter.
    expect(said).toMatch(
      /Failed to open TCP connection to nosuch\.invalid:\d+ \(getaddrinfo: (Name or service not known\)\n {2}The name 'nosuch\.invalid' is not in DNS or \/etc\/hosts\.|Temporary failure in name resolution\)\n {2}No name server replied to the query for 'nosuch\.invalid')/,
    )
    const unknown = Object.assign(new Error('queryA'), { code: 'ENOTFOUND' })
    const { message, diagnostic } = toConnectionError(unknown, new URL('https://nosuch.invalid:8140/puppet-ca/v1/'), 1)
    rows.add('connections', {
      mistake: "the server's name is mistyped",
      plumbline: everywhere(message),
      hint: diagnostic.hint,
      puppet: 'Failed to open TCP connection to nosuch.invalid:8140 (getaddrinfo: Name or service not known)',
    })
  })
})

describe('a certificate that is no longer good', () => {
  it("is the node's own", async () => {
    const node = await enrolled()
    await ca('renew', '--certname', node.name, '--ttl', '1s')
    copyFileSync(join(server.confdir, 'ca/signed', `${node.name}.pem`), node.ssl('certs', `${node.name}.pem`))
    await expiryOf(parseCertificate(readFileSync(node.ssl('certs', `${node.name}.pem`), 'utf8')))
    const { said, status } = await node.agent()
    expect(status).toBe(1)
    expect(said).toMatch(
      new RegExp(
        `Error: Could not run Puppet configuration client: The certificate 'CN=${node.name}' has expired, verify time is ` +
          `synchronized\n {2}It is valid from \\S+ \\S+ UTC to \\S+ \\S+ UTC; the clock of this host shows \\S+ \\S+ UTC. If the clock ` +
          `is correct, run 'plumb ca renew --certname ${node.name}' on the CA server, then 'plumb ssl download_cert' on this`,
      ),
    )
    const puppet = "The certificate 'CN=node1.test' has expired, verify time is synchronized"
    rows.add('certificates', told("the node's certificate has expired", said, puppet))
    expect((await ca('renew', '--certname', node.name)).exitCode).toBe(0)
    expect((await node.run(['ssl', 'download_cert'])).status).toBe(0)
    expect((await node.agent()).status).toBe(0)
  })

  it("is the node's own, and revoked", async () => {
    const node = await enrolled()
    await ca('revoke', '--certname', node.name)
    const { said } = await node.agent()
    expect(said).toMatch(
      new RegExp(
        `Error 403 on SERVER: Forbidden request: \\S+ \\(method :get\\)\\. Certificate 'CN=${node.name}' is revoked\\. Please ` +
          `see the server logs for details\\.\n {2}To replace it, run 'plumb ca clean --certname ${node.name}' on the CA server`,
      ),
    )
    const revoked = told(
      "the node's certificate is revoked",
      said,
      'Error 403 on SERVER: Forbidden request: /puppet/v3/node/node1.test (method :get). Please see the server logs for details.',
      'ours says why',
    )
    rows.add('certificates', revoked)
    expect(server.output()).toMatch(
      new RegExp(`Forbidden request: ${node.name} \\(127\\.0\\.0\\.1\\) access to .* is revoked`),
    )
    const verified = await node.run(['ssl', 'verify'])
    expect([verified.status, verified.said]).toEqual([
      1,
      expect.stringContaining(`Error: Certificate 'CN=${node.name}' is revoked\n  To replace it, run 'plumb ca clean`),
    ])
    await ca('clean', '--certname', node.name)
    expect((await node.run(['ssl', 'clean'])).status).toBe(0)
    expect((await node.agent()).status).toBe(0)
  })

  it.runIf(hasFaketime)(`seems so by a clock that is wrong${withoutFaketime}`, async () => {
    const node = await enrolled()
    const { said, status } = await node.agent({ env: otherClock('-2y') })
    expect(status).toBe(1)
    expect(said).toMatch(/is not yet valid, verify time is synchronized\n {2}It is valid from 20\S+ \S+ UTC to /)
    const puppet = "The CRL issued by 'CN=Puppet CA: localhost' is not yet valid, verify time is synchronized"
    const because = 'the certificate of the authority is looked at before its list'
    rows.add('machine', told('the clock is two years behind', said, puppet, because))
    const unknown = newNode()
    const { said: early } = await unknown.agent({ env: otherClock('-2y') })
    expect(early).toMatch(
      /certificate verify failed \[certificate is not yet valid for CN=.*\]\n {2}The clock of this host is wrong, or the clock of the CA server was wrong when it signed /,
    )
  })

  it('is of another key than the one that is here', async () => {
    const node = await enrolled()
    writeFileSync(node.ssl('private_keys', `${node.name}.pem`), toPrivateKeyPem(await generatePrivateKey(ec)))
    const { said, status } = await node.agent()
    expect(status).toBe(1)
    expect(said).toContain(
      `The certificate for 'CN=${node.name}' does not match its private key\n  The certificate or the key was replaced. Restore the matching file.`,
    )
    const puppet = "The certificate for 'CN=node1.test' does not match its private key"
    rows.add('certificates', told('the private key is of another certificate', said, puppet))
  })

  it('cannot be read by this user', async () => {
    const node = await enrolled()
    const root = process.getuid?.() === 0
    const as = root ? { uid: nobody } : {}
    // All but the keys may be read, and written, by anyone.
    await execa('chmod', ['-R', 'a+rwX', node.folder])
    chmodSync(node.ssl(), root ? 0o700 : 0)
    for (const words of [
      ['agent', '--test'],
      ['ssl', 'verify'],
    ]) {
      const { said, status } = await node.run(words, as)
      expect(status).toBe(1)
      expect(said).toMatch(
        /^Error: .*Permission denied - \/.*\/ssl.*\n {2}The user \d+ has no access\. Run the command as the owner of the file/m,
      )
      if (words[0] === 'agent')
        rows.add(
          'machine',
          told(
            'the ssldir is of another user',
            said,
            "Could not prepare for execution: Got 1 failure(s) while initializing: File[/etc/ssl]: change from '0700' to '0771' failed: Operation not permitted @ apply2files - /etc/ssl",
            'ours says whose it is to mend',
          ),
        )
    }
    chmodSync(node.ssl(), 0o771)
    chmodSync(join(node.folder, 'etc'), root ? 0o700 : 0)
    const { said } = await node.run(['ssl', 'verify'], as)
    expect(said).toMatch(
      /^Error: Could not load (.*\/puppet\.conf): Permission denied - \1\n {2}Run the command as a user who can read the file/,
    )
    const puppet = 'Could not load /etc/puppet.conf: Permission denied @ rb_sysopen - /etc/puppet.conf'
    rows.add('machine', told('puppet.conf is of another user', said, puppet, 'ours has no function of Ruby in it'))
    chmodSync(join(node.folder, 'etc'), 0o755)
  })

  it("is the authority's, until it is renewed; then nodes take the new one by themselves", async () => {
    const node = await enrolled()
    expect((await ca('renew', '--ca', '--ttl', '1s')).stdout).toContain(
      "Renewed the certificate of the CA 'CN=Puppet CA",
    )
    await reload()
    copyFileSync(join(server.confdir, 'ca/ca_crt.pem'), node.ssl('certs/ca.pem'))
    await expiryOf(parseCertificate(readFileSync(join(server.confdir, 'ca/ca_crt.pem'), 'utf8')))
    const { said, status } = await node.agent()
    expect(status).toBe(1)
    expect(said).toContain("The certificate 'CN=Puppet CA: localhost' has expired, verify time is synchronized\n")
    const puppet = "The certificate 'CN=Puppet CA: localhost' has expired, verify time is synchronized"
    rows.add('certificates', told("the authority's certificate has expired", said, puppet))
    expect(said).toContain(
      "If the clock is correct, run 'plumb ca renew --ca' on the CA server. The next run on this host downloads",
    )
    expect((await ca('renew', '--ca')).exitCode).toBe(0)
    await reload()
    expect((await node.agent()).status).toBe(0)
    expect(readFileSync(node.ssl('certs/ca.pem'), 'utf8')).toBe(
      readFileSync(join(server.confdir, 'ca/ca_crt.pem'), 'utf8'),
    )
  })

  it("is the server's", async () => {
    const node = await enrolled()
    expect((await ca('renew', '--certname', 'localhost', '--ttl', '1s')).stdout).toMatch(
      /\nSaved it to .*localhost\.pem;/,
    )
    await reload()
    await expiryOf(parseCertificate(readFileSync(join(server.confdir, 'ssl/certs/localhost.pem'), 'utf8')))
    const { said, status } = await node.agent()
    expect(status).toBe(1)
    expect(said).toMatch(
      /certificate verify failed \[certificate has expired for CN=localhost\]\n {2}The certificate of localhost has expired, or the clock is wrong\. It is valid from .*If the clock is correct, run 'plumb ca renew --certname localhost' on the CA server and send SIGHUP to the server\./,
    )
    const puppet = 'certificate verify failed [certificate has expired for CN=localhost]'
    rows.add('certificates', told("the server's certificate has expired", said, puppet))
    expect((await ca('renew', '--certname', 'localhost')).exitCode).toBe(0)
    await reload()
    expect((await node.agent()).status).toBe(0)
  })
})

describe('an environment that the server has not', () => {
  it('is named, with the branches that there are', async () => {
    const { said, status } = await (await enrolled()).agent({}, '--environment', 'prodution')
    expect(status).toBe(1)
    rows.add(
      'environments',
      told(
        'the environment is mistyped',
        said,
        "Could not find a directory environment named 'prodution' anywhere in the path",
      ),
    )
  })
})

// Without faketime a row is missing.
describe.runIf(hasFaketime)(`docs/mistakes.md${withoutFaketime}`, () => {
  it.each(['environments', 'certificates', 'connections', 'machine'] as const)('has the part "%s"', (part) => {
    expectOnPage(part, rows.of(part))
  })
})
