import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { formatRegistryFile } from '../../../src/machine/registry/registry-file.ts'
import type { CommandResult, System } from '../../../src/machine/system/system.ts'
import { readTrustedAuthorities } from '../../../src/network/client/system-authorities.ts'
import { findCertificate } from '../../../src/network/client/windows-authorities.ts'
import { recordingSystem } from '../../node/resources/recording-system.ts'
import { fc } from '../../support/properties.ts'

const [first, second, third] = rootCertificates.map((pem) => new X509Certificate(pem)) as [
  X509Certificate,
  X509Certificate,
  X509Certificate,
]
const getName = ({ fingerprint }: X509Certificate) => fingerprint.replaceAll(':', '')

function createProperty(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(id, 0)
  head.writeUInt32LE(1, 4)
  head.writeUInt32LE(data.length, 8)
  return Buffer.concat([head, data])
}

/** An entry of a store: the fingerprint (property 3) and the certificate (32), as Microsoft documents in [MS-GPEF]. */
const createBlob = ({ raw }: X509Certificate) =>
  Buffer.concat([createProperty(3, Buffer.alloc(20)), createProperty(32, raw)])

/** A Windows whose `reg.exe` exports these keys. */
function createSystem(stores: Readonly<Record<string, Readonly<Record<string, Buffer>>>>): System {
  const done: CommandResult = { status: 0, stdout: '', stderr: '', output: '', timedOut: false }
  const system = recordingSystem({})
  const exports = new Map<string, Buffer>()
  return {
    ...system,
    files: {
      ...system.files,
      makeDirectory: async () => {},
      remove: async () => {},
      readParts: async (path) => {
        const content = exports.get(path)
        return (
          content &&
          (async function* () {
            yield content
          })()
        )
      },
    },
    commands: {
      find: async (name) => name,
      run: async ([, action = '', key = '', file = '']) => {
        const entries =
          stores[key.replace(/^HKEY_(LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\/, '').replace(/\\Certificates$/, '')]
        if (!entries || action !== 'export') return { ...done, status: 1 }
        const changes = Object.entries(entries).map(([name, data]) => ({
          key: `${key}\\${name}`,
          values: [{ name: 'Blob', type: 3, data }],
        }))
        exports.set(file.replaceAll('\\', '/'), Buffer.from(formatRegistryFile([{ key }, ...changes])))
        return done
      },
    },
  }
}

const listNames = (pem: string) =>
  (pem.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? []).map((each) => getName(new X509Certificate(each)))

beforeEach(() => {
  vi.stubEnv('SSL_CERT_FILE', undefined)
})
afterEach(() => vi.unstubAllEnvs())

const all = rootCertificates.map((pem) => getName(new X509Certificate(pem)))

/** The names of the certificates that Windows adds, and of those of Node. */
async function readNames(system: System) {
  const names = listNames(await readTrustedAuthorities('/missing', system, true))
  const count = names.length - new Set(names).size
  return { added: names.slice(0, count), ofNode: names.slice(count) }
}

it('adds the certificates that Windows trusts, without those that it distrusts', async () => {
  const system = createSystem({
    'Microsoft\\SystemCertificates\\Root': {
      [getName(first)]: createBlob(first),
      [getName(second)]: createBlob(second),
      DAMAGED: createBlob(first).subarray(0, 60),
    },
    'Microsoft\\SystemCertificates\\Disallowed': { [getName(second).toLowerCase()]: createBlob(second) },
    'Policies\\Microsoft\\SystemCertificates\\Root': { [getName(third)]: createBlob(third) },
  })
  expect(await readNames(system)).toEqual({
    added: [getName(first), getName(third)],
    ofNode: all.filter((name) => name !== getName(second)),
  })
  expect(await readNames(createSystem({}))).toEqual({ added: [], ofNode: all })
})

it.each([
  ['no certificate', Buffer.from('no certificate')],
  ['a certificate with other bytes behind it', Buffer.concat([first.raw, Buffer.from('x')])],
  ['an incomplete certificate', first.raw.subarray(0, -1)],
])('leaves out %s', async (_, der) => {
  const system = createSystem({
    'Microsoft\\SystemCertificates\\Root': {
      '00': createProperty(32, der),
      [getName(second)]: createBlob(second),
    },
  })
  expect(await readNames(system)).toEqual({ added: [getName(second)], ofNode: all })
})

it('distrusts a certificate by its name alone, and by its content', async () => {
  const system = createSystem({
    'Microsoft\\SystemCertificates\\Root': { '00': createBlob(first), [getName(second)]: createBlob(second) },
    'Microsoft\\SystemCertificates\\Disallowed': {
      [getName(first)]: createProperty(3, Buffer.alloc(20)),
      '01': createBlob(second),
    },
  })
  const rest = all.filter((name) => name !== getName(first) && name !== getName(second))
  expect(await readNames(system)).toEqual({ added: [], ofNode: rest })
})

it('reads any entry of a store', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const found = findCertificate(Buffer.from(bytes))
      return found === undefined || found.length < bytes.length
    }),
  )
})
