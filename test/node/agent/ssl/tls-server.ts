import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { CertificateAuthority } from '../../../../src/ca/certificate-authority.ts'
import type { AuthorityOptions } from '../../../../src/ca/local-authority.ts'
import { toCertificatePem } from '../../../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../../../src/ca/x509/keys.ts'
import { loadSettings, type Settings } from '../../../../src/machine/settings/settings.ts'
import { getPeer, type Peer } from '../../../../src/server/auth/peer.ts'
import { createCaV1Plugin } from '../../../../src/server/ca-v1/index.ts'
import { ec, newAuthority } from '../../../ca/fixture.ts'
import { terminiOf } from '../../../server/ca-v1/termini-of.ts'
import { openServer } from '../../../server/open-server.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** A server with the authority's endpoints, over real TLS. */
export interface TlsServer {
  readonly ca: CertificateAuthority
  readonly server: FastifyInstance
  readonly port: number
  /** Settings of an agent in a folder of its own. */
  settingsFor(certname: string, more?: Readonly<Record<string, string>>): Promise<Settings>
  close(): Promise<void>
}

interface ListenOptions {
  readonly name?: string
  readonly prepare?: (server: FastifyInstance) => Promise<void>
  readonly ca?: CertificateAuthority
}

/** Listens on loopback; `name` is what the server's certificate says. The authority is a new one, unless it is given. */
export async function listen(
  change: Partial<AuthorityOptions> = {},
  { name = 'localhost', prepare = async (_: FastifyInstance): Promise<void> => {}, ca: given }: ListenOptions = {},
): Promise<TlsServer> {
  // Lists that outlive certificates: hosts of tests have clocks that are years ahead.
  const ca = given ?? (await newAuthority({ listLifeMs: 10 * 365 * 86_400_000, ...change })).ca
  await ca.refreshRevocationList()
  const { key, certificate } = await ca.generate(name, { key: ec })
  const server = openServer({
    key: toPrivateKeyPem(key),
    cert: toCertificatePem(certificate),
    ca: (await ca.certificates()).pem,
  })
  const derOf = (peer: Peer) => (typeof peer === 'object' ? peer.der : undefined)
  const termini = terminiOf(ca)
  await server.register(createCaV1Plugin({ ca, termini, clientCertificate: ({ socket }) => derOf(getPeer(socket)) }))
  await prepare(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return {
    ca,
    server,
    port,
    async settingsFor(certname, more = {}) {
      const confdir = scratchFolder('agent')
      const given = {
        confdir,
        vardir: confdir,
        certname,
        server: 'localhost',
        serverport: String(port),
        key_type: 'ec',
      }
      return loadSettings({ given: { ...given, ...more }, runMode: 'agent' })
    },
    close: () => server.close(),
  }
}
