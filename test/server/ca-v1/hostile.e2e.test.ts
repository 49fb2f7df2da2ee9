import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseCertificate } from '../../../src/ca/x509/certificate.ts'
import { buildCertificateRequest } from '../../../src/ca/x509/certificate-request.ts'
import { buildSubjectAltName, buildTextExtension, type Extension } from '../../../src/ca/x509/extensions.ts'
import { generatePrivateKey, isSameKeyPair } from '../../../src/ca/x509/keys.ts'
import { puppetOids } from '../../../src/ca/x509/oids.ts'
import { FileLock } from '../../../src/machine/system/file-lock.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../../src/store/authority/configured-authority.ts'
import { ec, requestFor } from '../../ca/fixture.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Call, type Serving, serve } from '../serving.ts'

const running: Serving[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

const environments = scratchFolder('environments')
mkdirSync(join(environments, 'production'))

/** A server with its authority; anybody may speak to it over TLS. */
async function start(given: Readonly<Record<string, string>> = {}) {
  const server = await serve({ environmentpath: environments, autosign: 'false', ...given })
  running.push(server)
  const text = { 'content-type': 'text/plain' }
  const json = { 'content-type': 'application/json' }
  const call = (method: string, path: string, rest: Call = {}) => server.call(method, `/puppet-ca/v1/${path}`, rest)
  const { cadir } = server.settings
  return {
    server,
    cadir,
    call,
    submit: (name: string, pem: string) => call('PUT', `certificate_request/${name}`, { body: pem, headers: text }),
    asAdmin: (method: string, path: string, body?: object) =>
      call(method, path, { as: 'admin', headers: json, ...(body && { body: JSON.stringify(body) }) }),
    waiting: () => readdirSync(join(cadir, 'requests')).sort(),
    serial: () => readFileSync(join(cadir, 'serial'), 'utf8'),
  }
}

/** One server for the cases of a table that leave nothing behind. */
function shared(given: Readonly<Record<string, string>>): () => Awaited<ReturnType<typeof start>> {
  let started: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    started = await start(given)
    running.splice(running.indexOf(started.server), 1)
  })
  afterAll(() => started.server.stop())
  return () => started
}

const rawSan = (hex: string): Extension => ({ oid: '2.5.29.17', critical: false, value: Buffer.from(hex, 'hex') })

/** A program that decides by a shell script, with the name as `$1`. */
function program(script: string): string {
  const path = join(scratchFolder('autosign'), 'policy')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

it.each([
  ['beginnings without an end', '-----BEGIN CERTIFICATE REQUEST-----\n'.repeat(7000)],
  ['a beginning of nothing but space', `-----BEGIN A-----${' '.repeat(250_000)}`],
  ['as many beginnings as a request may hold', '-----BEGIN A-----\n'.repeat(1800)],
])(
  'answers others at once while somebody sends %s',
  async (_, body) => {
    const { submit, call } = await start()
    const [hostile, honest] = await Promise.all([submit('a.test', body), call('GET', 'certificate/ca')])
    expect([hostile.status >= 400 && hostile.status < 500, honest.status]).toEqual([true, 200])
  },
  120_000,
)

describe('a request that cannot be read whole', () => {
  const server = shared({ 'allow-subject-alt-names': 'true', autosign: 'true' })

  it.each<[string, readonly Extension[]]>([
    ['alternative names that are none', [rawSan('ff')]],
    ['alternative names in no sequence', [rawSan('0c0161')]],
    ['an alternative name of line breaks', [rawSan('30078205610a0a6262')]],
    ['an alternative name of escape sequences', [rawSan('300682041b5b324a')]],
    ['an empty alternative name', [rawSan('30028200')]],
    ['alternative names twice', [buildSubjectAltName(['a.test']), buildSubjectAltName(['b.test'])]],
    [
      'an extension of Puppet twice',
      [buildTextExtension(puppetOids.get('pp_role')!, 'a'), buildTextExtension(puppetOids.get('pp_role')!, 'b')],
    ],
  ])('is refused for %s, and not kept', async (_, extensions) => {
    const { submit, asAdmin, waiting, serial } = server()
    await asAdmin('GET', 'certificate_statuses/any')
    const before = serial()
    expect((await submit('bad.test', await requestFor('bad.test', { extensions }))).status).toBe(400)
    expect([waiting(), serial()]).toEqual([[], before])
    const { status, text } = await asAdmin('GET', 'certificate_statuses/any')
    expect([status, JSON.parse(text).map(({ name }: { name: string }) => name)]).toEqual([200, ['admin', 'localhost']])
  })

  it('that lies there all the same stops nobody, and can be cleaned', async () => {
    const { submit, asAdmin, cadir, waiting } = await start()
    for (const name of ['a.test', 'z.test']) await submit(name, await requestFor(name))
    writeFileSync(join(cadir, 'requests/m.test.pem'), 'garbage')
    writeFileSync(join(cadir, 'signed/n.test.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    const states = async () => {
      const { text } = await asAdmin('GET', 'certificate_statuses/any')
      const all = JSON.parse(text) as { name: string; state: string; problem?: string }[]
      return Object.fromEntries(all.map(({ name, state }) => [name, state]))
    }
    expect(await states()).toMatchObject({ 'a.test': 'requested', 'm.test': 'broken', 'n.test': 'broken' })
    expect(JSON.parse((await asAdmin('GET', 'certificate_status/m.test')).text)).toMatchObject({
      state: 'broken',
      problem: 'Could not read the certificate request: it contains no PEM certificate request',
    })
    expect(await asAdmin('PUT', 'certificate_status/m.test', { desired_state: 'signed' })).toMatchObject({
      status: 409,
      text: expect.stringContaining('The certificate request of m.test is damaged'),
    })
    expect(JSON.parse((await asAdmin('POST', 'sign/all', {})).text)).toEqual({
      signed: ['a.test', 'z.test'],
      'no-csr': [],
      'signing-errors': ['m.test'],
    })
    expect((await asAdmin('PUT', 'clean', { certnames: ['m.test', 'n.test'] })).status).toBe(200)
    expect([waiting(), (await states())['n.test']]).toEqual([[], undefined])
  })
})

describe('a key that nobody should trust', () => {
  const server = shared({ autosign: 'true' })
  const rsa = (modulusLength: number, publicExponent = 65_537) =>
    generateKeyPairSync('rsa', { modulusLength, publicExponent }).privateKey
  const onCurve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
  it.each<[string, () => KeyObject]>([
    ['512 bits', () => rsa(512)],
    ['1024 bits', () => rsa(1024)],
    ['an RSA key with an unusual public exponent', () => rsa(2048, 3)],
    ['on secp256k1', () => onCurve('secp256k1')],
    ['on prime192v1', () => onCurve('prime192v1')],
    ['of type ed25519', () => generateKeyPairSync('ed25519').privateKey],
  ])('%s gets no certificate, and its request is not kept', async (what, key) => {
    const { submit, waiting, serial } = server()
    const before = serial()
    expect(await submit('weak.test', buildCertificateRequest({ commonName: 'weak.test' }, key()))).toMatchObject({
      status: 400,
      text: expect.stringContaining(`The key of 'weak.test' is ${what}; it must be `),
    })
    expect([waiting(), serial()]).toEqual([[], before])
  })

  it.each(['sha1', 'md5'])('is not proven by a signature of %s', async (digest) => {
    const { submit, waiting } = server()
    const words = ['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=old.test']
    const pem = execFileSync('openssl', [...words, `-${digest}`], { encoding: 'utf8', stdio: 'pipe' })
    expect(await submit('old.test', pem)).toMatchObject({
      status: 400,
      text: expect.stringContaining("CSR 'old.test' is signed by an algorithm that is not trusted"),
    })
    expect(waiting()).toEqual([])
  })

  it('is what the setting says it is', async () => {
    const { submit } = await start({ autosign: 'true', minimum_keylength: '3072' })
    const pem = buildCertificateRequest({ commonName: 'a.test' }, rsa(2048))
    expect(await submit('a.test', pem)).toMatchObject({
      status: 400,
      text: "The key of 'a.test' is 2048 bits; it must be at least 3072 bits",
    })
  })
})

it('has no key of somebody else certified: a request that its key did not sign is not kept', async () => {
  const { submit, waiting } = await start()
  const der = Buffer.from((await requestFor('a.test')).replace(/-----.*-----|\n/g, ''), 'base64')
  der[der.length - 1]! ^= 1
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
  expect((await submit('a.test', pem)).status).toBe(400)
  expect(waiting()).toEqual([])
})

it('signs what the program decided on, not what came while it thought', async () => {
  const folder = scratchFolder('race')
  const autosign = program(`seen=$(cat); touch ${folder}/$1.begun
while [ ! -e ${folder}/go ]; do sleep 0.02; done
[ "$seen" = "$(cat ${folder}/honest)" ]`)
  const { submit, call, server } = await start({ allow_duplicate_certs: 'true', autosign })
  const key = await generatePrivateKey(ec)
  const honest = buildCertificateRequest({ commonName: 'a.test' }, key)
  writeFileSync(join(folder, 'honest'), honest)
  const first = submit('a.test', honest)
  await expect.poll(() => readdirSync(folder)).toContain('a.test.begun')
  // The second is held up by nothing: it waits under the same name before the first is answered for.
  const second = submit('a.test', await requestFor('a.test'))
  const file = join(server.settings.cadir, 'requests/a.test.pem')
  await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(honest)
  writeFileSync(join(folder, 'go'), '')
  await Promise.all([first, second])
  const { status, text } = await call('GET', 'certificate/a.test')
  if (status === 200) expect(isSameKeyPair(parseCertificate(text).publicKey, key)).toBe(true)
  else expect((await first).text).toContain('The certificate request of a.test has changed since it was listed')
})

it('signs for an administrator the request with the fingerprint that was looked at', async () => {
  const { submit, asAdmin, call } = await start({ allow_duplicate_certs: 'true' })
  await submit('a.test', await requestFor('a.test'))
  const { fingerprint } = JSON.parse((await asAdmin('GET', 'certificate_status/a.test')).text)
  await submit('a.test', await requestFor('a.test'))
  expect(await asAdmin('PUT', 'certificate_status/a.test', { desired_state: 'signed', fingerprint })).toMatchObject({
    status: 409,
    text: 'The certificate request of a.test has changed since it was listed',
  })
  expect((await call('GET', 'certificate/a.test')).status).toBe(404)
})

it('renews nothing that is revoked while the renewal waits', async () => {
  const { server, call, cadir, serial } = await start({ 'allow-auto-renewal': 'true' })
  const credentials = await server.credentials('a.test')
  const list = join(cadir, 'ca_crl.pem')
  const unrevoked = readFileSync(list)
  const authority = await openConfiguredAuthority(server.settings, localSystem)
  await authority.revoke('a.test')
  const revoked = readFileSync(list)
  writeFileSync(list, unrevoked)
  const before = serial()
  const renewal = await new FileLock(join(cadir, '.lock')).run(async () => {
    const answer = call('POST', 'certificate_renewal', { credentials })
    // Wall clock: a request that waits for a lock shows nowhere. Less time proves less, and fails nothing.
    await sleep(500)
    writeFileSync(list, revoked)
    return { answer }
  })
  expect((await renewal.answer).status).toBe(403)
  expect(serial()).toBe(before)
})

describe('many requests', () => {
  it('start few programs at once', async () => {
    const folder = scratchFolder('programs')
    const autosign = program(`cat >/dev/null; touch ${folder}/$1; ls ${folder} | wc -l >> ${folder}.most
sleep 0.3; rm ${folder}/$1`)
    const { submit } = await start({ autosign })
    const names = Array.from({ length: 40 }, (_, index) => `n${index}.test`)
    const key = await generatePrivateKey(ec)
    const answers = await Promise.all(
      names.map((name) => submit(name, buildCertificateRequest({ commonName: name }, key))),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const counts = readFileSync(`${folder}.most`, 'utf8').trim().split('\n').map(Number)
    expect(counts).toHaveLength(40)
    // On a slow machine the first has ended before the fourth is there.
    expect(Math.max(...counts)).toBeGreaterThan(1)
    expect(Math.max(...counts)).toBeLessThanOrEqual(4)
  })

  it('are taken in up to a bound for one address', async () => {
    const folder = scratchFolder('slow')
    const { submit } = await start({ autosign: program(`while [ ! -e ${folder}/go ]; do sleep 0.05; done`) })
    const key = await generatePrivateKey(ec)
    const names = Array.from({ length: 60 }, (_, index) => `n${index}.test`)
    const answers = names.map((name) => submit(name, buildCertificateRequest({ commonName: name }, key)))
    const refused = (await Promise.race(answers)) as Awaited<(typeof answers)[number]>
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual([
      503,
      '30',
      'The certificate authority is busy. Please try again later.',
    ])
    writeFileSync(join(folder, 'go'), '')
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect([statuses.filter((each) => each === 200).length, statuses.filter((each) => each === 503).length]).toEqual([
      50, 10,
    ])
  })

  it('fill a room of their own, in which whom autosign knows need not wait', async () => {
    const { submit, asAdmin, waiting, call } = await start({
      max_waiting_requests: '3',
      autosign: program('[ "$1" = known.test ]'),
    })
    for (const name of ['a.test', 'b.test', 'c.test'])
      expect((await submit(name, await requestFor(name))).status).toBe(200)
    const refused = await submit('d.test', await requestFor('d.test'))
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual([
      503,
      '30',
      'Too many certificate requests are waiting to be signed. Please try again later.',
    ])
    expect(waiting()).toEqual(['a.test.pem', 'b.test.pem', 'c.test.pem'])
    expect((await submit('known.test', await requestFor('known.test'))).status).toBe(200)
    expect((await call('GET', 'certificate/known.test')).status).toBe(200)
    await asAdmin('PUT', 'clean', { certnames: ['a.test'] })
    expect((await submit('d.test', await requestFor('d.test'))).status).toBe(200)
  })
})

it('finishes at its next start what was being decided when it was killed', async () => {
  const confdir = join(scratchFolder('restart'), 'etc')
  const { server, cadir } = await start({ confdir, autosign: 'true' })
  await server.stop()
  running.length = 0
  // As a request is kept while autosign thinks: test/ca/crash.e2e.test.ts kills a process there.
  writeFileSync(join(cadir, 'requests/a.test.pem'), await requestFor('a.test'), { mode: 0o600 })
  const { call } = await start({ confdir, autosign: 'true' })
  await expect.poll(async () => (await call('GET', 'certificate/a.test')).status).toBe(200)
})

it('refuses a request that is too large, in words', async () => {
  const { submit, server } = await start()
  const { status, text } = await submit('a.test', 'x'.repeat(100_000))
  expect([status, text.includes('The request body is too large')]).toEqual([413, true])
  expect(server.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

it('asks its autosign program once about what it finishes', async () => {
  const confdir = join(scratchFolder('restart'), 'etc')
  const asked = join(scratchFolder('asked'), 'names')
  const { server, cadir } = await start({ confdir })
  await server.stop()
  running.length = 0
  writeFileSync(join(cadir, 'requests/a.test.pem'), await requestFor('a.test'), { mode: 0o600 })
  const { call, submit } = await start({ confdir, autosign: program(`echo $1 >> ${asked}; sleep 0.2`) })
  await expect.poll(async () => (await call('GET', 'certificate/a.test')).status).toBe(200)
  // The program is asked about a later request, and so would have been about the first once more.
  expect((await submit('b.test', await requestFor('b.test'))).status).toBe(200)
  expect(readFileSync(asked, 'utf8')).toBe('a.test\nb.test\n')
})

it('renews few certificates of one node in a minute', async () => {
  const { call, serial } = await start({ 'allow-auto-renewal': 'true' })
  const renew = () => call('POST', 'certificate_renewal', { as: 'a.test' })
  const begun = performance.now()
  expect((await renew()).status).toBe(200)
  const before = serial()
  const statuses = (await Promise.all(Array.from({ length: 30 }, renew))).map(({ status }) => status)
  // Ten in a minute: another one for each six seconds that the requests themselves took.
  const more = Math.floor((performance.now() - begun) / 6000)
  const renewed = statuses.filter((status) => status === 200).length
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(renewed).toBeGreaterThanOrEqual(9)
  expect(renewed).toBeLessThanOrEqual(9 + more)
  expect(Number.parseInt(serial(), 16)).toBe(Number.parseInt(before, 16) + renewed)
})

describe('what an administrator may ask for', () => {
  it('is no life without end', async () => {
    const { submit, asAdmin, serial } = await start()
    await submit('a.test', await requestFor('a.test'))
    await asAdmin('GET', 'certificate_statuses/any')
    const before = serial()
    for (const cert_ttl of [1e15, Number.MAX_SAFE_INTEGER, 101 * 365 * 86_400])
      expect((await asAdmin('PUT', 'certificate_status/a.test', { desired_state: 'signed', cert_ttl })).status).toBe(
        409,
      )
    expect(serial()).toBe(before)
  })

  it('is a cleaning of as many names as a body holds, and holds up nobody', async () => {
    const { asAdmin, call } = await start()
    await asAdmin('GET', 'certificate_statuses/any')
    const certnames = Array.from({ length: 30_000 }, (_, index) => index.toString(36))
    const cleaning = asAdmin('PUT', 'clean', { certnames })
    const honest = call('GET', 'certificate/ca')
    expect(await Promise.race([cleaning.then(() => 'the cleaning'), honest.then(() => 'another')])).toBe('another')
    expect([(await honest).status, (await cleaning).status]).toEqual([200, 200])
  }, 60_000)
})

it('answers for odd names, whatever is asked of them', async () => {
  const { call, asAdmin, waiting } = await start()
  const names = ['', '%00', '%2e%2e%2fca_key', '..%2f..%2fx', '%0a', 'a%2fb', '%1b%5b2J', 'x'.repeat(5000), '__proto__']
  const body = await requestFor('a.test')
  const headers = { 'content-type': 'text/plain' }
  for (const name of names) {
    for (const path of ['certificate_request', 'certificate', 'certificate_status']) {
      expect((await call('GET', `${path}/${name}`)).status, name).toBeGreaterThanOrEqual(400)
      expect((await asAdmin('DELETE', `${path}/${name}`)).status, name).toBeGreaterThanOrEqual(400)
      expect((await asAdmin('GET', `${path}/${name}`)).status, name).toBeLessThan(500)
    }
    const { status } = await call('PUT', `certificate_request/${name}`, { body, headers })
    expect([status >= 400 && status < 500, waiting()], name).toEqual([true, []])
  }
})

describe('a key that agents have', () => {
  const server = shared({ autosign: 'true' })

  it.each(['prime256v1', 'secp384r1', 'secp521r1'])('on %s is signed', async (namedCurve) => {
    const { submit, call } = server()
    const { privateKey } = generateKeyPairSync('ec', { namedCurve })
    const name = `${namedCurve}.test`
    expect((await submit(name, buildCertificateRequest({ commonName: name }, privateKey))).status).toBe(200)
    expect((await call('GET', `certificate/${name}`)).status).toBe(200)
  })
})
