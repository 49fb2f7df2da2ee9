import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { onDriveZ, startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')
const dist = `file:///${onDriveZ(join(import.meta.dirname, '../../../dist')).replaceAll('\\', '/')}`

/** Adds a certificate to a store of the machine, as [MS-GPEF] describes its entry. */
const program = String.raw`
import { writeFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
const { readTrustedAuthorities } = await import('${dist}/network/client/system-authorities.js')
const { changeRegistry } = await import('${dist}/machine/registry/registry.js')
const { localSystem } = await import('${dist}/machine/system/local-system.js')
const { raw, fingerprint } = new X509Certificate(rootCertificates[0])
const add = (store) => {
  const head = Buffer.from([32, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32LE(raw.length, 8)
  const key = ['HKEY_LOCAL_MACHINE', 'SOFTWARE', 'Microsoft', 'SystemCertificates', store, 'Certificates', fingerprint.replaceAll(':', '')]
  return changeRegistry(localSystem, [{ key: key.join('\\'), values: [{ name: 'Blob', type: 3, data: Buffer.concat([head, raw]) }] }])
}
const read = () => readTrustedAuthorities('C:/missing')
const before = await read()
await add('Root')
const trusted = await read()
await add('Disallowed')
writeFileSync('C:/read.json', JSON.stringify({ before, trusted, distrusted: await read() }))
`

describe.skipIf(missing)(`root certificates of Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows?.stop())

  it('are read from the registry', async () => {
    writeFileSync(join(windows.driveC, 'read.mjs'), program)
    const ran = await windows.run([onDriveZ(join(windowsFolder, 'node.exe')), 'C:\\read.mjs'])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    const { before, trusted, distrusted } = JSON.parse(readFileSync(join(windows.driveC, 'read.json'), 'utf8'))
    const added = trusted.slice(0, trusted.length - before.length)
    expect(trusted.endsWith(before)).toBe(true)
    expect(new X509Certificate(added).fingerprint).toBe(new X509Certificate(rootCertificates[0]!).fingerprint)
    expect(distrusted).toBe(before.replace(`${rootCertificates[0]}\n`, ''))
    expect(distrusted).not.toBe(before)
  }, 120_000)
})
