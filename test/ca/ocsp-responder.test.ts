import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OcspResponder } from '../../src/ca/ocsp-responder.ts'
import { type Certificate, parseCertificate } from '../../src/ca/x509/certificate.ts'
import {
  decodeTime,
  encodeInteger,
  encodeOctetString,
  encodeOid,
  encodeSequence,
  getDerChildren,
  getLeafContent,
  getTag,
  nullValue,
  parseDer,
} from '../../src/ca/x509/der.ts'
import { localFiles } from '../../src/machine/system/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { newAuthority, requestFor } from './fixture.ts'

const minuteMs = 60_000
const sha1 = (bytes: Uint8Array) => encodeOctetString(createHash('sha1').update(bytes).digest())

/** RFC 6960: an OCSPRequest about serials of an issuer, whose public key has 65 bytes. */
function requestAbout(issuer: Certificate, ...serials: readonly bigint[]): Buffer {
  const names = [
    encodeSequence(encodeOid('1.3.14.3.2.26'), nullValue),
    sha1(issuer.subject.der),
    sha1(issuer.spki.subarray(-65)),
  ]
  return encodeSequence(
    encodeSequence(
      encodeSequence(...serials.map((serial) => encodeSequence(encodeSequence(...names, encodeInteger(serial))))),
    ),
  )
}

const statuses: Readonly<Record<number, string>> = { 128: 'good', 161: 'revoked', 130: 'unknown' }

/** RFC 6960: an OCSPResponse with its statuses, and the times of the first in milliseconds. */
function read(response: Buffer) {
  const basic = getDerChildren(getDerChildren(getDerChildren(parseDer(response))[1]!)[0]!)[1]!
  const [data] = getDerChildren(parseDer(getLeafContent(basic)))
  const [, produced, list] = getDerChildren(data!)
  const answers = getDerChildren(list!).map(getDerChildren)
  const [, , from, until] = answers[0]!
  return {
    answers: answers.map(([, status]) => statuses[getTag(status!)]),
    times: [produced!, from!, getDerChildren(until!)[0]!].map((der) => decodeTime(der).getTime()),
  }
}

async function fixture() {
  const authority = await newAuthority()
  const signerFile = join(scratchFolder('ocsp-signer'), 'ssl/ocsp_signer.pem')
  const clock = { now: Math.ceil(Date.now() / 1000) * 1000 }
  const open = () =>
    new OcspResponder({
      authority: authority.ca,
      certname: 'server.test',
      signerFile,
      system: { files: localFiles, now: () => clock.now },
    })
  const sign = async (name: string) => {
    await authority.ca.submit(name, await requestFor(name))
    return (await authority.ca.sign(name)).serial
  }
  const issuer = parseCertificate((await authority.ca.certificates()).pem)
  const signer = () => parseCertificate(readFileSync(signerFile, 'utf8')).serial
  return { ...authority, signerFile, clock, open, sign, issuer, signer }
}

it('repeats an answer for half an hour, unless the status has changed or the clock went back', async () => {
  const { ca, clock, open, sign, issuer } = await fixture()
  const responder = open()
  const begun = clock.now
  const request = requestAbout(issuer, await sign('a.test'))
  const ask = async (at: number) => {
    clock.now = begun + at
    return responder.answer(request)
  }
  const first = await ask(0)
  expect(first.maxAge).toBe(1800)
  expect(read(first.der)).toMatchObject({
    answers: ['good'],
    times: [begun, begun - 5 * minuteMs, begun + 60 * minuteMs],
  })
  expect((await ask(30 * minuteMs - 1)).der.equals(first.der)).toBe(true)
  const second = await ask(30 * minuteMs)
  expect(read(second.der).times[0]).toBe(begun + 30 * minuteMs)
  expect(read((await ask(10 * minuteMs)).der).times[0]).toBe(begun + 10 * minuteMs)
  await ca.revoke('a.test')
  const revoked = await ask(11 * minuteMs)
  expect(read(revoked.der)).toMatchObject({ answers: ['revoked'] })
  expect((await ask(12 * minuteMs)).der.equals(revoked.der)).toBe(true)
})

it('answers several questions at once, and tells apart what it never gave', async () => {
  const { open, sign, issuer } = await fixture()
  const serial = await sign('a.test')
  const other = parseCertificate((await (await newAuthority()).ca.certificates()).pem)
  const both = await open().answer(requestAbout(issuer, serial, serial + 77n))
  expect([read(both.der).answers, both.maxAge]).toEqual([['good', 'unknown'], 0])
  expect(read((await open().answer(requestAbout(other, serial))).der).answers).toEqual(['unknown'])
})

it('keeps its key over a restart, and looks at it once a minute', async () => {
  const { ca, clock, open, sign, issuer, signerFile, signer } = await fixture()
  const request = requestAbout(issuer, await sign('a.test'))
  const responder = open()
  await responder.answer(request)
  const first = signer()
  await open().answer(request)
  expect(signer()).toBe(first)
  await ca.revoke('_ocsp.server.test')
  clock.now += minuteMs - 1
  await responder.answer(request)
  expect(signer()).toBe(first)
  clock.now += 1
  const { der } = await responder.answer(request)
  expect(signer()).not.toBe(first)
  expect(read(der).times[0]).toBe(clock.now)
  const second = signer()
  writeFileSync(signerFile, readFileSync(signerFile, 'utf8').slice(0, 300))
  await open().answer(request)
  expect(signer()).not.toBe(second)
})
