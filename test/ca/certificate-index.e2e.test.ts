import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import { createBrokenStatus, toCertificateStatus } from '../../src/ca/certificate-status.ts'
import { packStatus, unpackStatus } from '../../src/ca/storage/status-encoding.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { buildTextExtension } from '../../src/ca/x509/extensions.ts'
import { puppetOids } from '../../src/ca/x509/oids.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import type { Files, System } from '../../src/machine/system/system.ts'
import { isNight } from '../support/nightly.ts'
import { ec, type FolderFixture, newAuthority, requestFor } from './fixture.ts'
import { manyName, manySerial, writeManyCertificates } from './many-certificates.ts'

/** Every night as many as a large site has; the work for each is the same. */
const count = isNight ? 100_000 : 6000

/** This machine's files, with counts of what was asked of them. */
function counted() {
  const counts = { reads: 0, looks: 0 }
  const { files } = localSystem
  const watched: Files = {
    ...files,
    stat(path) {
      counts.looks++
      return files.stat(path)
    },
    readText(path) {
      counts.reads++
      return files.readText(path)
    },
    read(path) {
      counts.reads++
      return files.read(path)
    },
  }
  const system: System = { ...localSystem, files: watched }
  return {
    system,
    /** The counts since the last call. */
    take() {
      const taken = { ...counts }
      counts.reads = 0
      counts.looks = 0
      return taken
    },
  }
}

/** The longest time in which the event loop did nothing else, in milliseconds, while `work` runs. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, performance.now(), false]
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  return longest
}

/** Puts the folder's last change into the past, as it is when nobody has signed for a while. */
function settle(cadir: string): void {
  const then = new Date(Date.now() - 60_000)
  utimesSync(join(cadir, 'signed'), then, then)
}

describe(`an authority of ${count} certificates`, () => {
  let fixture: FolderFixture
  beforeAll(async () => {
    fixture = await newAuthority()
    await writeManyCertificates(fixture.cadir, count)
    settle(fixture.cadir)
  })

  const listed = async (ca: CertificateAuthority) => (await ca.statuses('signed')).length

  it('is read once, and listed from then on without a look at any certificate', async () => {
    const { cadir, reopen } = fixture
    const first = counted()
    const ca = await reopen({ system: first.system })
    first.take()
    const stall = await longestStall(async () => expect(await listed(ca)).toBe(count))
    expect(first.take().reads).toBeGreaterThanOrEqual(count)
    console.log(`first listing of ${count}: longest turn ${stall.toFixed(1)} ms`)
    await ca.statuses()
    expect(first.take()).toEqual({ reads: 0, looks: expect.toSatisfy((looks: number) => looks < 20) })

    const second = counted()
    const later = await reopen({ system: second.system })
    second.take()
    const begun = performance.now()
    const all = await later.statuses()
    console.log(`listing of ${count} by another process: ${(performance.now() - begun).toFixed(0)} ms`)
    expect(second.take()).toEqual({ reads: expect.toSatisfy((reads: number) => reads <= 3), looks: expect.any(Number) })
    expect(all.map(({ name }) => name)).toEqual(Array.from({ length: count }, (_, index) => manyName(index)))
    const sample = manyName(count - 1)
    const pem = readFileSync(join(cadir, `signed/${sample}.pem`), 'utf8')
    expect(all.at(-1)).toEqual(toCertificateStatus(sample, parseCertificate(pem)))
    expect(all.at(-1)?.serial_number).toBe(Number(manySerial(count - 1)))
  })

  it('signs, and looks at a few files, however many there are', async () => {
    const watched = counted()
    const ca = await fixture.reopen({ system: watched.system })
    await ca.submit('new.test', await requestFor('new.test'))
    watched.take()
    await ca.sign('new.test')
    const { reads, looks } = watched.take()
    expect([reads, looks]).toEqual([expect.toSatisfy((n: number) => n < 10), expect.toSatisfy((n: number) => n < 20)])
    expect(await listed(ca)).toBe(count + 1)
    expect(watched.take().reads).toBeLessThan(10)
  })

  it('knows at once what others signed, revoked, renewed and removed', async () => {
    const { cadir, ca, reopen } = fixture
    const other = await reopen({})
    const state = async (name: string) => (await ca.statuses()).find((status) => status.name === name)
    const before = (await state(manyName(7)))?.serial_number
    await other.generate('other.test', { key: ec })
    expect((await state('other.test'))?.state).toBe('signed')
    await other.revoke(manyName(7))
    expect((await state(manyName(7)))?.state).toBe('revoked')
    expect(await other.isRevoked(BigInt(before!))).toBe(true)
    const old = parseCertificate((await other.certificate('other.test'))!)
    const renewed = await other.renew(old)
    expect((await state('other.test'))?.serial_number).toBe(Number(renewed.serial))
    await other.removeCertificate(manyName(8))
    expect(await state(manyName(8))).toBeUndefined()
    // Puppet Server, or an operator: replaced in its place, with nothing in the inventory.
    const path = join(cadir, `signed/${manyName(9)}.pem`)
    writeFileSync(path, 'damaged')
    expect((await ca.status(manyName(9)))?.state).toBe('broken')
    await ca.lookThrough()
    expect((await state(manyName(9)))?.state).toBe('broken')
  })

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['of another format', (bytes: Buffer) => Buffer.from(bytes.toString().replace('plumb-ca-index', 'other'))],
    ['with a line that is none', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('garbage\n')])],
    ['with names that lead out', (bytes: Buffer) => Buffer.from(bytes.toString().replace(manyName(3), '../../x'))],
  ])('is right with an index that is %s', async (_, damage) => {
    const { cadir, ca, reopen } = fixture
    const file = join(cadir, '.index')
    const whole = readFileSync(file)
    const wanted = (await ca.statuses()).map(({ name, state }) => `${name} ${state}`)
    writeFileSync(file, damage(whole))
    const found = (await (await reopen({})).statuses()).map(({ name, state }) => `${name} ${state}`)
    expect(found).toEqual(wanted)
    writeFileSync(file, whole)
  })
})

it('looks at every file of a small authority when anything has changed', async () => {
  const { cadir, ca } = await newAuthority()
  for (const name of ['a.test', 'b.test']) await ca.generate(name, { key: ec })
  await ca.statuses()
  const path = (name: string) => join(cadir, `signed/${name}.pem`)
  renameSync(path('a.test'), path('c.test'))
  renameSync(path('b.test'), path('a.test'))
  rmSync(path('c.test'))
  expect((await ca.statuses()).map(({ name, serial_number: serial }) => [name, serial])).toEqual([['a.test', 3]])
  expect(() => statSync(join(cadir, '.index'))).toThrow('ENOENT')
})

it('packs statuses so that nothing is lost', async () => {
  const { ca } = await newAuthority()
  const extensions = [buildTextExtension(puppetOids.get('pp_cli_auth')!, 'true\n"x"')]
  const made = await ca.generate('a.test', { key: ec, altNames: ['b.test', 'IP:10.0.0.1'], administers: true })
  const large = {
    ...made.certificate,
    serial: 2n ** 150n + 1n,
    extensions: [...made.certificate.extensions, ...extensions],
  }
  for (const status of [
    toCertificateStatus('a.test', made.certificate),
    toCertificateStatus('a.test', large),
    toCertificateStatus('other.test', made.certificate),
    createBrokenStatus('a.test', 'Why\tnot'),
  ])
    expect(unpackStatus(packStatus(status))).toEqual(status)
  for (const line of ['', '{}', '[]', '["a.test"]', '["a.test",1,2]', '[1,"x"]', '["a.test","x","","","","","",0,[]]'])
    expect(unpackStatus(line)).toBeUndefined()
})
