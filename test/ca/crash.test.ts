import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { parseInventory } from '../../src/ca/inventory.ts'
import { parseCertificate } from '../../src/x509/certificate.ts'
import { parseRevocationLists } from '../../src/x509/revocation-list.ts'
import { newAuthority, requestFor } from './fixture.ts'

const root = resolve(import.meta.dirname, '../..')
const worker = join(import.meta.dirname, 'sign-for-ever.js')

beforeAll(() => {
  if (!existsSync(join(root, 'dist/ca/local-authority.js'))) execFileSync('node', ['scripts/build.js'], { cwd: root })
})

/** Kills a process that signs and revokes as fast as it can, then looks at what it left. */
it('keeps serial, inventory, certificates and revocation list consistent when it is killed', async () => {
  const { cadir, ca } = await newAuthority()
  for (let round = 0; round < 8; round++) {
    const child = fork(worker, [root, cadir, String(round)], { stdio: 'inherit' })
    // Somewhere in the middle of a certificate after the second.
    while ((await once(child, 'message'))[0] < 1);
    await new Promise((resolve) => setTimeout(resolve, round * 7))
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended

    const name = `after-${round}.test`
    await ca.submit(name, await requestFor(name))
    await ca.sign(name)
    await ca.revoke(name)

    const inventory = parseInventory(await readFile(join(cadir, 'inventory.txt'), 'utf8'))
    const serials = inventory.map(({ serial }) => serial)
    expect(new Set(serials).size).toBe(serials.length)
    const next = BigInt(`0x${await readFile(join(cadir, 'serial'), 'utf8')}`)
    expect(serials.every((serial) => serial < next)).toBe(true)
    const known = new Set(inventory.map(({ serial, subject }) => `${serial} ${subject}`))
    for (const { name: signed, state, serial_number: serial } of await ca.statuses()) {
      if (state === 'requested') continue
      expect(known).toContain(`${serial} /CN=${signed}`)
      expect(parseCertificate((await ca.certificate(signed))!).serial).toBe(BigInt(serial!))
    }
    const [list] = parseRevocationLists((await ca.revocationLists()).pem)
    const { revoked } = list!
    expect([...revoked].every((serial) => serials.includes(BigInt(`0x${serial}`)))).toBe(true)
    expect((await ca.status(name))?.state).toBe('revoked')
  }
  expect((await ca.statuses()).length).toBeGreaterThanOrEqual(8 * 3)
})
