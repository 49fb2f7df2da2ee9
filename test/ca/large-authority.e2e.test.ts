import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { processorTime } from '../../bench/server/process.js'
import { toListIssuer } from '../../src/ca/certificate-profile.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { parsePrivateKey } from '../../src/ca/x509/keys.ts'
import {
  buildRevocationList,
  keyCompromise,
  parseRevocationLists,
  toRevocationListPem,
} from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { isNight } from '../support/nightly.ts'
import { askServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type FolderFixture, newAuthority, requestFor } from './fixture.ts'
import { manyName, manySerial, writeManyCertificates } from './many-certificates.ts'
import { openssl } from './x509/openssl.ts'

/** Every night as many as a large site has. */
const count = isNight ? 100_000 : 6000
const few = 100
/** Bytes that no certificate's file has fewer of. */
const certificateBytes = 500

/** Bytes that this process, or another one, has read and written so far, by Linux's count. */
function bytesOf(pid: number | 'self'): { readonly read: number; readonly written: number } {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1])
  return { read: field('rchar'), written: field('wchar') }
}

/** What some work read and wrote, and how many milliseconds of a processor it took: a busy machine says nothing by its clock. */
async function measured(work: () => Promise<unknown>) {
  const [before, started] = [bytesOf('self'), process.cpuUsage()]
  await work()
  const [after, { user, system }] = [bytesOf('self'), process.cpuUsage(started)]
  return { read: after.read - before.read, written: after.written - before.written, ms: (user + system) / 1000 }
}

async function authorityOf(certificates: number): Promise<FolderFixture> {
  const fixture = await newAuthority()
  await writeManyCertificates(fixture.cadir, certificates)
  // As it is when nobody has signed for a while.
  const then = new Date(Date.now() - 60_000)
  utimesSync(join(fixture.cadir, 'signed'), then, then)
  await fixture.ca.lookThrough()
  return fixture
}

function list(cadir: string) {
  const file = join(cadir, 'ca_crl.pem')
  expect(openssl('crl', '-in', file, '-noout', '-CAfile', join(cadir, 'ca_crt.pem'), '-crlnumber')).toMatch(/=0x/)
  const [parsed] = parseRevocationLists(readFileSync(file, 'utf8'))
  return parsed!
}

describe(`an authority of ${count} certificates, beside one of ${few}`, () => {
  let large: FolderFixture
  let small: FolderFixture
  beforeAll(async () => {
    small = await authorityOf(few)
    large = await authorityOf(count)
  })

  it('signs with the same work', async () => {
    const signing = async ({ ca }: FolderFixture, name: string) => {
      await ca.submit(name, await requestFor(name))
      return measured(() => ca.sign(name))
    }
    const [alone, beside] = [await signing(small, 'a.test'), await signing(large, 'a.test')]
    console.log(`a signature: ${alone.ms.toFixed(1)} ms beside ${few}, ${beside.ms.toFixed(1)} ms beside ${count}`)
    const atMost = (bytes: number) => bytes + 16 * 1024
    expect(beside.read).toBeLessThan(atMost(alone.read))
    expect(beside.written).toBeLessThan(atMost(alone.written))
  })

  it('lists all without reading them', async () => {
    const { cadir, reopen } = large
    const ca = await reopen({})
    const { read, ms } = await measured(async () => expect((await ca.statuses()).length).toBe(count + 1))
    console.log(`a list of ${count}: ${ms.toFixed(0)} ms, ${(read / 2 ** 20).toFixed(1)} MiB read`)
    expect(read).toBeLessThan(readFileSync(join(cadir, '.index')).length * 2 + count * 100)
  })

  it('revokes without reading certificates, and prunes, with a list of as many entries', async () => {
    const { cadir, ca } = large
    const [certificate, key] = ['ca_crt.pem', 'ca_key.pem'].map((name) => readFileSync(join(cadir, name), 'utf8'))
    const issuer = toListIssuer({
      certificate: parseCertificate(certificate!),
      signer: createKeySigner(parsePrivateKey(key!)),
    })
    const previous = list(cadir)
    const { thisUpdate, nextUpdate } = previous
    const added = Array.from({ length: count - 1 }, (_, index) => ({
      ...{ serial: manySerial(index), date: thisUpdate, reason: keyCompromise },
    }))
    const full = await buildRevocationList(issuer, { previous, added, thisUpdate, nextUpdate: nextUpdate! })
    writeFileSync(join(cadir, 'ca_crl.pem'), toRevocationListPem(full))

    const revoking = await measured(() => ca.revoke(manyName(count - 1)))
    const revoked = list(cadir)
    expect([revoked.number, revoked.revoked.size]).toEqual([full.number! + 1n, count])
    console.log(`a revocation beside ${count} others: ${revoking.ms.toFixed(0)} ms`)
    const listBytes = readFileSync(join(cadir, 'ca_crl.pem')).length
    const inventoryBytes = readFileSync(join(cadir, 'inventory.txt')).length
    expect(revoking.read).toBeLessThan(2 * (listBytes + inventoryBytes))
    expect(await ca.isRevoked(manySerial(0))).toBe(true)
    const states = (await ca.statuses()).map(({ state }) => state)
    expect(states.filter((state) => state === 'revoked').length).toBe(count)

    const serials = added.filter((_, index) => index % 2 === 0).map(({ serial }) => serial)
    const pruned = { total: count, duplicates: 0, entries: serials.length }
    const pruning = await measured(async () => expect(await ca.pruneRevocationList({ serials })).toEqual(pruned))
    console.log(`half of them pruned: ${pruning.ms.toFixed(0)} ms`)
    expect([list(cadir).number, list(cadir).revoked.size]).toEqual([full.number! + 2n, count - serials.length])
    expect([await ca.isRevoked(manySerial(0)), await ca.isRevoked(manySerial(1))]).toEqual([false, true])
  })

  it('has its server start before the certificates are looked at, and list them', async () => {
    const start = async ({ cadir }: FolderFixture) => {
      const settings = { cadir, environmentpath: scratchFolder('environments'), key_type: 'ec' }
      const server = await startServer({ settings })
      const pid = server.process.pid!
      return { server, pid, read: bytesOf(pid).read, ms: processorTime(pid) }
    }
    const alone = await start(small)
    await alone.server.stop()
    // Beside other work, the server may have looked through many of them before its bytes are counted.
    let started = await start(large)
    for (let again = 0; again < 3 && started.read - alone.read >= certificateBytes * count; again++) {
      await started.server.stop()
      started = await start(large)
    }
    const { server, pid, read, ms } = started
    console.log(`a start: ${alone.ms.toFixed(0)} ms with ${few} certificates, ${ms.toFixed(0)} ms with ${count}`)
    expect(read - alone.read).toBeLessThan(certificateBytes * count)
    // The first one while the server looks through them, as it does at a start.
    for (const which of ['first', 'second']) {
      const before = processorTime(pid)
      const { status, text } = await askServer(server, '/puppet-ca/v1/certificate_statuses/all')
      console.log(`the ${which} list from the server: ${processorTime(pid) - before} ms`)
      expect([status, JSON.parse(text).length >= count]).toEqual([200, true])
    }
    await server.stop()
  })
})
