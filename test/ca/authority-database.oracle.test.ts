import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyAuthority } from '../../src/ca/authority-copy.ts'
import { plainKeyAccess } from '../../src/ca/issuer.ts'
import { openAuthority } from '../../src/ca/local-authority.ts'
import { openAuthorityFolder } from '../../src/ca/storage/authority-folder.ts'
import { withTrustCopies } from '../../src/ca/storage/trust-copies.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openAuthorityDatabase } from '../../src/store/authority/authority-database.ts'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { testAuthority } from './authority-contract.ts'
import { authorityPostgres, type DatabaseFixture } from './database-fixture.ts'
import { ec, inventoryOf, newAuthority, requestFor, usualOptions } from './fixture.ts'

const lacks = without('PostgreSQL')
const root = resolve(import.meta.dirname, '../..')
const unavailable = 'The database of the certificate authority is unavailable'

describe.skipIf(lacks !== '')(`an authority in PostgreSQL${lacks}`, () => {
  const postgres = authorityPostgres()
  const access = () => ({ command: [], passphraseFile: postgres.passfile, system: localSystem })

  testAuthority((change) => postgres.newAuthority(change))

  const serialsOf = async ({ storage }: DatabaseFixture) => (await inventoryOf(storage)).map(({ serial }) => serial)

  it('has its key encrypted, and its passphrase nowhere', async () => {
    const { psql } = await postgres.newAuthority()
    expect(psql("select content from ca_documents where name = 'private key'")).toMatch(
      /^-----BEGIN ENCRYPTED PRIVATE KEY-----/,
    )
    expect(psql('select string_agg(content, $$\n$$) from ca_documents')).not.toMatch(/BEGIN (?:EC |RSA )?PRIVATE|horse/)
  })

  it('is opened with the right passphrase, in a file that not everybody reads', async () => {
    const { storage } = await postgres.newAuthority()
    const passphraseFile = join(scratchFolder('passphrase'), 'file')
    const open = () => openAuthority({ ...usualOptions, storage, key: { ...access(), passphraseFile } })
    await expect(open()).rejects.toThrow(`Could not find the passphrase of the CA's private key: no ${passphraseFile}`)
    writeFileSync(passphraseFile, 'a passphrase of somebody else\n', { mode: 0o600 })
    await expect(open()).rejects.toThrow('Could not read the private key')
    chmodSync(passphraseFile, 0o644)
    await expect(open()).rejects.toThrow('All users can read or change')
    writeFileSync(passphraseFile, 'short\n')
    chmodSync(passphraseFile, 0o600)
    await expect(open()).rejects.toThrow('is shorter than 20 characters')
  })

  it('is made once, whoever begins', async () => {
    const url = postgres.server.url(postgres.newDatabase())
    const storages = await Promise.all([openAuthorityDatabase(url), openAuthorityDatabase(url)])
    expect(await storages[0].exists()).toBe(false)
    await expect(storages[0].certificates.read()).rejects.toThrow('there is none in postgresql://127.0.0.1')
    const parts = { certificates: 'c', publicKey: 'p', privateKey: 'k', revocationLists: 'l', serial: 2n }
    const made = await Promise.allSettled(storages.map((each) => each.create(parts)))
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await storages[1].exists()).toBe(true)
    for (const each of storages) await each.close()
  })

  it('gives two hundred certificates through two servers at once, each with its own serial', async () => {
    const fixture = await postgres.newAuthority({ autosign: async () => true })
    const servers = [fixture.ca, await fixture.reopen()]
    const names = Array.from({ length: 200 }, (_, index) => `n${index}.test`)
    const requests = await Promise.all(names.map((name) => requestFor(name)))
    await Promise.all(
      names.map((name, index) => servers[index % 2]!.submit(name, requests[index]!, `10.0.0.${index % 8}`)),
    )
    const serials = await serialsOf(fixture)
    expect(new Set(serials).size).toBe(names.length)
    for (const ca of servers) expect((await ca.statuses('signed')).map(({ name }) => name)).toEqual([...names].sort())
  })

  it('signs a request once, also if two servers are told to sign it', async () => {
    const fixture = await postgres.newAuthority()
    await fixture.ca.submit('a.test', await requestFor('a.test'))
    const servers = [fixture.ca, await fixture.reopen()]
    const signed = await Promise.allSettled(servers.map((ca) => ca.sign('a.test')))
    expect(signed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await serialsOf(fixture)).toHaveLength(1)
  })

  it('knows at once on one server what another revoked', async () => {
    const { ca, reopen } = await postgres.newAuthority()
    const other = await reopen()
    const { certificate } = await ca.generate('a.test', { key: ec })
    expect(await other.isRevoked(certificate.serial)).toBe(false)
    await ca.revoke('a.test')
    expect(await other.isRevoked(certificate.serial)).toBe(true)
    expect((await other.revocationLists()).pem).toBe((await ca.revocationLists()).pem)
    expect((await other.status('a.test'))?.state).toBe('revoked')
  })

  it('is consistent after each kill of a process that signs, revokes and renews', async () => {
    const fixture = await postgres.newAuthority()
    const worker = join(import.meta.dirname, 'renew-for-ever.js')
    const told = { signed: [] as bigint[], revoked: [] as bigint[] }
    for (let round = 0; round < 6; round++) {
      const environment = { ...process.env, CA_URL: fixture.url, CA_PASSFILE: postgres.passfile }
      const child = fork(worker, [root, '', String(round)], { env: environment, stdio: 'inherit' })
      let count = 0
      child.on('message', ({ serial, serials = [] }: { serial?: string; serials?: string[] }) => {
        if (serial !== undefined) told.signed.push(BigInt(serial))
        told.revoked.push(...serials.map(BigInt))
        if (++count === 5 + round) child.kill('SIGKILL')
      })
      await once(child, 'exit')
      const { certificate } = await fixture.ca.generate(`after-${round}.test`, { key: ec })
      told.signed.push(certificate.serial)
    }
    const serials = await serialsOf(fixture)
    expect(new Set(serials).size).toBe(serials.length)
    expect(serials).toEqual(expect.arrayContaining(told.signed))
    for (const serial of told.revoked) expect(await fixture.ca.isRevoked(serial)).toBe(true)
    for (const { name, serial_number: serial } of await fixture.ca.statuses())
      expect([name, serials.includes(BigInt(serial!))]).toEqual([name, true])
  })

  it('outlives a restart of the database, and says that it is away', async () => {
    const { ca, storage } = await postgres.newAuthority()
    await ca.generate('a.test', { key: ec })
    await postgres.server.stop()
    await expect(ca.generate('b.test', { key: ec })).rejects.toThrow(unavailable)
    await expect(ca.status('a.test')).rejects.toThrow(unavailable)
    await postgres.server.restart()
    await expect
      .poll(() =>
        ca.generate('c.test', { key: ec }).then(
          () => 'signed',
          () => 'away',
        ),
      )
      .toBe('signed')
    expect((await inventoryOf(storage)).map(({ subject }) => subject)).toEqual(['/CN=a.test', '/CN=c.test'])
  })

  it('undoes a change whose connection breaks, and lets others go on', async () => {
    const { storage, reopen, psql } = await postgres.newAuthority()
    const other = await reopen()
    const broken = storage.change(async (records) => {
      const serial = await records.allocateSerial()
      await records.inventory.append([{ serial, notBefore: 'x', notAfter: 'x', subject: '/CN=a.test' }])
      psql("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted")
      const { certificate } = await other.generate('b.test', { key: ec })
      expect(certificate.serial).toBe(serial)
    })
    await expect(broken).rejects.toThrow(unavailable)
    expect(psql('select subject from ca_inventory').trim()).toBe('/CN=b.test')
  })

  it('refuses a serial that was issued before', async () => {
    const { storage, ca } = await postgres.newAuthority()
    const { certificate } = await ca.generate('a.test', { key: ec })
    const entry = { serial: certificate.serial, notBefore: 'x', notAfter: 'x', subject: '/CN=b.test' }
    await expect(storage.change(({ inventory }) => inventory.append([entry]))).rejects.toThrow('duplicate key')
  })
})

describe.skipIf(lacks !== '')(`the copies of a server whose authority is in PostgreSQL${lacks}`, () => {
  const postgres = authorityPostgres()

  /** The authority as a server has it, with copies of what it trusts. */
  async function serverOf(fixture: DatabaseFixture) {
    const folder = scratchFolder('copies')
    const files = { localcacert: join(folder, 'ca.pem'), hostcrl: join(folder, 'crl.pem') }
    const said: string[] = []
    const database = await openAuthorityDatabase(fixture.url)
    const storage = withTrustCopies(database, files, localSystem.files, (message) => said.push(message))
    const key = { command: [], passphraseFile: postgres.passfile, system: localSystem }
    const open = () => openAuthority({ ...usualOptions, storage, key })
    const ca = await open()
    const save = async () => {
      writeFileSync(files.localcacert, (await ca.certificates()).pem)
      writeFileSync(files.hostcrl, (await ca.revocationLists()).pem)
    }
    await save()
    return { ca, open, said, save, storage }
  }

  it('answer while the database is away, also after a restart of the server', async () => {
    const fixture = await postgres.newAuthority()
    const { certificate } = await fixture.ca.generate('a.test', { key: ec })
    await fixture.ca.revoke('a.test')
    const { ca, open } = await serverOf(fixture)
    const [lists, certificates] = [(await ca.revocationLists()).pem, (await ca.certificates()).pem]
    await postgres.server.stop()
    for (const each of [ca, await open()]) {
      expect((await each.revocationLists()).pem).toBe(lists)
      expect((await each.certificates()).pem).toBe(certificates)
      expect(await each.isRevoked(certificate.serial)).toBe(true)
      await expect(each.generate('b.test', { key: ec })).rejects.toThrow(unavailable)
    }
    await postgres.server.restart()
    const again = await open()
    await expect
      .poll(() =>
        again.generate('c.test', { key: ec }).then(
          () => 'signed',
          () => 'away',
        ),
      )
      .toBe('signed')
  })

  it('are not replaced by an older list, a forged list or another authority', async () => {
    const fixture = await postgres.newAuthority()
    const { certificate } = await fixture.ca.generate('a.test', { key: ec })
    const old = (await fixture.ca.revocationLists()).pem
    await fixture.ca.revoke('a.test')
    const { ca, said } = await serverOf(fixture)
    const good = (await ca.revocationLists()).pem
    const stranger = await postgres.newAuthority()
    for (let round = 0; round < 3; round++) await stranger.ca.generate(`n${round}.test`, { key: ec })
    await stranger.ca.revoke('n0.test')
    await stranger.ca.revoke('n1.test')
    for (const [pem, message] of [
      [old, 'its revocation list is older than the copy of this server'],
      [(await stranger.ca.revocationLists()).pem, 'the CA did not sign its revocation list'],
    ] as const) {
      await fixture.storage.change(({ revocationLists }) => revocationLists.write(pem))
      expect((await ca.revocationLists()).pem).toBe(good)
      expect(await ca.isRevoked(certificate.serial)).toBe(true)
      await expect(ca.revoke('a.test')).rejects.toThrow(message)
      expect(said.at(-1)).toContain(message)
    }
    const own = (await ca.certificates()).pem
    const other = (await stranger.ca.certificates()).pem
    for (const [pem, message] of [
      [other, 'is not the key of the certificate in localcacert'],
      [own + other, 'a certificate in the bundle of the CA is not one of its issuers'],
    ] as const) {
      await fixture.storage.change(({ certificates }) => certificates.write(pem))
      expect((await ca.certificates()).pem).toBe(own)
      expect(said.at(-1)).toContain(message)
    }
  })
})

describe.skipIf(lacks !== '')(`an authority that moves to PostgreSQL and back${lacks}`, () => {
  const postgres = authorityPostgres()

  it('keeps its key, serial, inventory, certificates, requests and lists', async () => {
    const { ca, storage: from } = await newAuthority()
    for (const name of ['a.test', 'b.test', 'waits.test']) await ca.submit(name, await requestFor(name))
    for (const name of ['a.test', 'b.test']) await ca.sign(name)
    await ca.revoke('b.test')
    const database = await openAuthorityDatabase(postgres.server.url(postgres.newDatabase()))
    const plain = plainKeyAccess(localSystem)
    const encrypted = { ...plain, passphraseFile: postgres.passfile }
    const copied = { certificates: 2, requests: 1 }
    expect(await copyAuthority({ storage: from, access: plain }, { storage: database, access: encrypted })).toEqual(
      copied,
    )
    const moved = await openAuthority({ ...usualOptions, storage: database, key: encrypted })
    expect(await moved.statuses()).toEqual(await ca.statuses())
    expect(await inventoryOf(database)).toEqual(await inventoryOf(from))
    expect((await moved.revocationLists()).pem).toBe((await ca.revocationLists()).pem)
    expect((await moved.sign('waits.test')).serial).toBe(4n)
    await moved.revoke('a.test')

    const back = openAuthorityFolder(join(scratchFolder('back'), 'ca'), localSystem)
    await copyAuthority({ storage: database, access: encrypted }, { storage: back, access: plain })
    const again = await openAuthority({ ...usualOptions, storage: back, key: plain })
    expect(await again.statuses()).toEqual(await moved.statuses())
    expect((await again.generate('c.test', { key: ec })).certificate.serial).toBe(5n)
    expect(parseCertificate((await again.certificate('waits.test'))!).serial).toBe(4n)
    await expect(
      copyAuthority({ storage: from, access: plain }, { storage: database, access: encrypted }),
    ).rejects.toThrow('Found existing file at')
    await database.close()
  })
})
