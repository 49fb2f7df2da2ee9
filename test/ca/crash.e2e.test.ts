import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { parseInventory } from '../../src/ca/inventory.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { parseRevocationLists } from '../../src/ca/x509/revocation-list.ts'
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
    // Wall clock: the moment of the kill is of no matter.
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

/** Kills a process while autosign thinks about the request. */
async function strand(cadir: string, name: string): Promise<void> {
  const thinker = join(import.meta.dirname, 'submit-for-ever.js')
  const child = fork(thinker, [root, cadir, await requestFor(name), name], { stdio: 'inherit' })
  await once(child, 'message')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

it('decides again on what autosign had not answered for, and on nothing that waits for a person', async () => {
  const { cadir, ca, reopen } = await newAuthority()
  await ca.submit('person.test', await requestFor('person.test'))
  for (const name of ['a.test', 'b.test']) await strand(cadir, name)
  expect((await ca.statuses('requested')).map(({ name }) => name)).toEqual(['a.test', 'b.test', 'person.test'])
  const said: string[] = []
  const again = await reopen({ autosign: async (name) => name !== 'b.test' })
  await again.resume((message) => said.push(message))
  expect((await ca.statuses('signed')).map(({ name }) => name)).toEqual(['a.test'])
  // What was answered with no waits for a person, whatever autosign would say at the next start.
  const later = await reopen({ autosign: async () => true })
  await later.resume((message) => said.push(message))
  expect((await ca.statuses('requested')).map(({ name }) => name)).toEqual(['b.test', 'person.test'])
  expect(said).toEqual([])
})

it('removes a request that was signed already, and signs it no second time', async () => {
  const { cadir, ca } = await newAuthority()
  const pem = await requestFor('a.test')
  await ca.submit('a.test', pem)
  const { serial } = await ca.sign('a.test')
  await writeFile(join(cadir, 'requests/a.test.pem'), pem)
  await ca.resume(() => {})
  expect(await readdir(join(cadir, 'requests'))).toEqual([])
  expect(parseCertificate((await ca.certificate('a.test'))!).serial).toBe(serial)
})

it('goes on past a request that is broken', async () => {
  const { cadir, ca, reopen } = await newAuthority()
  await strand(cadir, 'z.test')
  await writeFile(join(cadir, 'requests/a.test.pem'), 'garbage', { mode: 0o600 })
  const said: string[] = []
  await (await reopen({ autosign: async () => true })).resume((message) => said.push(message))
  expect((await ca.status('z.test'))?.state).toBe('signed')
  expect(said).toEqual([expect.stringContaining('Could not process the certificate request of a.test')])
})

it('takes away what a killed process left half written, and nothing that may be in use', async () => {
  const { cadir, ca } = await newAuthority()
  const digits = '0123456789ab'
  const left = ['.serial.@.tmp', '.lock.@', '.lock.break.@', 'requests/.a.test.pem.@.tmp', 'signed/.b.pem.@.tmp']
  const kept = ['.profile.tmp', 'notes.@.tmp', '.lock.old', 'requests/.hidden', 'signed/.x.ABCDEFABCDEF.tmp']
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  const place = (name: string) => join(cadir, name.replace('@', digits))
  for (const name of [...left, ...kept]) {
    await writeFile(place(name), 'half')
    await utimes(place(name), longAgo, longAgo)
  }
  await mkdir(place('.dir.@.tmp'))
  await utimes(place('.dir.@.tmp'), longAgo, longAgo)
  await writeFile(place('.young.@.tmp'), 'being written')
  await ca.resume(() => {})
  const found = await readdir(cadir, { recursive: true })
  const remaining = [...kept, '.dir.@.tmp', '.young.@.tmp'].map((name) => name.replace('@', digits))
  expect(found.filter((name) => /half|\.tmp$|lock\.|hidden/.test(name)).sort()).toEqual(remaining.sort())
})
