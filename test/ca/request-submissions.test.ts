import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isInAutosignList } from '../../src/ca/autosign.ts'
import { replaceHostCertificate, updateTrustFiles } from '../../src/ca/host-files.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { newAuthority, requestFor } from './fixture.ts'

describe('requests', () => {
  it('wait up to the bound, and what autosign agrees to need not wait', async () => {
    const { ca, cadir, reopen } = await newAuthority({ maxWaitingRequests: 2 })
    const waits = (name: string) => existsSync(join(cadir, 'requests', `${name}.pem`))
    for (const name of ['a.test', 'b.test']) await ca.submit(name, await requestFor(name))
    const third = await requestFor('c.test')
    await expect(ca.submit('c.test', third)).rejects.toThrow(/requests/)
    await (await reopen({ allowDuplicates: true })).submit('b.test', await requestFor('b.test'))
    expect(['a.test', 'b.test', 'c.test'].map(waits)).toEqual([true, true, false])
    await (await reopen({ autosign: async () => true })).submit('c.test', third)
    expect((await ca.statuses()).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'a.test requested',
      'b.test requested',
      'c.test signed',
    ])
    await ca.removeRequest('a.test')
    await ca.submit('d.test', await requestFor('d.test'))
    expect(waits('d.test')).toBe(true)
  })

  it('of a certificate that a crash left are removed, but where a name may have several', async () => {
    const { ca, cadir, reopen } = await newAuthority()
    const file = join(cadir, 'requests/a.test.pem')
    await ca.submit('a.test', await requestFor('a.test'))
    const request = readFileSync(file)
    const { serial } = await ca.sign('a.test')
    writeFileSync(file, request)
    const complaints: string[] = []
    await (await reopen({ allowDuplicates: true })).resume((message) => complaints.push(message))
    expect([existsSync(file), complaints]).toEqual([true, []])
    await ca.resume((message) => complaints.push(message))
    expect([existsSync(file), complaints]).toEqual([false, []])
    expect((await ca.status('a.test'))?.serial_number).toBe(Number(serial))
  })

  it('are decided on again by their content, when a crash came between', async () => {
    const { ca, reopen } = await newAuthority({ autosign: async () => Promise.reject(new Error('cut off')) })
    for (const name of ['a.test', 'b.test'])
      await expect(ca.submit(name, await requestFor(name))).rejects.toThrow('cut off')
    const complaints: string[] = []
    await ca.resume((message) => complaints.push(message))
    expect(complaints).toEqual(
      ['a.test', 'b.test'].map((name) => `Could not process the certificate request of ${name}: cut off`),
    )
    const next = await reopen({ autosign: async (name) => name === 'a.test' })
    await next.resume((message) => complaints.push(message))
    expect(complaints).toHaveLength(2)
    expect((await ca.statuses()).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'a.test signed',
      'b.test requested',
    ])
    // A person decides on the second.
    await (await reopen({ autosign: async () => true })).resume(() => {})
    expect((await ca.status('b.test'))?.state).toBe('requested')
  })
})

it('a certificate that the inventory lost is revoked by its file', async () => {
  const { ca, cadir } = await newAuthority()
  await ca.submit('a.test', await requestFor('a.test'))
  const { serial } = await ca.sign('a.test')
  writeFileSync(join(cadir, 'inventory.txt'), '')
  await ca.revoke('a.test')
  expect(await ca.isRevoked(serial)).toBe(true)
})

it('files of a host can be read by all', async () => {
  const { ca } = await newAuthority()
  const folder = scratchFolder('host')
  const [localcacert, hostcrl, hostcert] = ['ca.pem', 'crl.pem', 'host.pem'].map((name) => join(folder, 'ssl', name))
  const paths = { localcacert: localcacert!, hostcrl: hostcrl! }
  await updateTrustFiles(paths, ca, localSystem)
  await ca.submit('a.test', await requestFor('a.test'))
  const certificate = await ca.sign('a.test')
  expect(await replaceHostCertificate(hostcert!, certificate, localSystem)).toBe(false)
  writeFileSync(hostcert!, (await ca.certificate('a.test'))!, { mode: 0o600 })
  expect(await replaceHostCertificate(hostcert!, await ca.renew(certificate), localSystem)).toBe(true)
  for (const file of [localcacert!, hostcrl!, hostcert!]) expect(statSync(file).mode & 0o777).toBe(0o644)
})

it.each([
  ['a.example.com', true],
  ['A.Example.Com', true],
  ['a.b.example.com', true],
  ['example.com', false],
  ['.example.com', false],
  ['aexample.com', false],
  ['badexample.com', false],
  ['b.test', true],
  ['xb.test', false],
  ['c.test', false],
])('a list of names for autosign has %s: %s', (name, expected) => {
  expect(isInAutosignList(name, '*.example.com\n\nB.test # ours\n#c.test\n')).toBe(expected)
})
