import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { parseInventory } from '../../src/ca/inventory.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { isNight } from '../support/nightly.ts'
import { ec, newAuthority } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const root = resolve(import.meta.dirname, '../..')
const worker = join(import.meta.dirname, 'renew-for-ever.js')
/** Moments at which processes are killed; two processes each. */
const rounds = isNight ? 100 : 10

beforeAll(() => {
  if (!existsSync(join(root, 'dist/ca/local-authority.js'))) execFileSync('node', ['scripts/build.js'], { cwd: root })
})

interface Said {
  readonly signed?: string
  readonly serial?: string
  readonly revoked?: string
  readonly serials?: readonly string[]
}

it('forgets nothing that it said when two processes on it are killed, and gives no serial twice', async () => {
  const { cadir, ca } = await newAuthority()
  const signed = new Map<string, string>()
  const revoked = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const children = ['x', 'y'].map((which) => {
      const child = fork(worker, [root, cadir, `${which}${round}`], { stdio: 'inherit' })
      child.on('message', ({ signed: name, serial, serials }: Said) => {
        if (name !== undefined) {
          // Two that were told of one serial would be two certificates that cannot be told apart.
          expect(signed.has(serial!)).toBe(false)
          signed.set(serial!, name)
        }
        for (const each of serials ?? []) revoked.add(each)
      })
      return child
    })
    await Promise.all(children.map((child) => once(child, 'message')))
    // Wall clock: the moment of the kill is of no matter.
    await sleep((round * 37) % 150)
    const ended = children.map((child) => once(child, 'close'))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)

    await ca.generate(`after-${round}.test`, { key: ec })
    const inventory = new Map(
      parseInventory(await readFile(join(cadir, 'inventory.txt'), 'utf8')).map(({ serial, subject }) => [
        String(serial),
        subject,
      ]),
    )
    for (const [serial, name] of signed) expect(inventory.get(serial)).toBe(`/CN=${name}`)
    for (const serial of revoked) expect(await ca.isRevoked(BigInt(serial))).toBe(true)
    const next = BigInt(`0x${await readFile(join(cadir, 'serial'), 'utf8')}`)
    for (const serial of inventory.keys()) expect(BigInt(serial) < next).toBe(true)
    const list = join(cadir, 'ca_crl.pem')
    expect(openssl('crl', '-in', list, '-noout', '-CAfile', join(cadir, 'ca_crt.pem'), '-text')).toContain('CRL Number')
    for (const status of await ca.statuses('signed'))
      expect(parseCertificate((await ca.certificate(status.name))!).serial).toBe(BigInt(status.serial_number!))
  }
  expect([signed.size, revoked.size].every((size) => size > rounds)).toBe(true)
})
