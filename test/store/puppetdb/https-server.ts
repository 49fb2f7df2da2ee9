import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import type { TlsContext } from '../../../src/network/client/tls.ts'
import { ec, newAuthority } from '../../ca/fixture.ts'

/** A request as a server saw it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The name in the client's certificate. */
  readonly client: string | undefined
}

export type Answer = (response: ServerResponse, seen: Seen) => void

/** An HTTPS server on loopback that asks for certificates. */
export interface HttpsServer {
  readonly url: string
  readonly seen: Seen[]
  answer: Answer
  stop(): Promise<void>
}

/** Certificates of a server `localhost` and of a client, of one authority. */
export async function identities(): Promise<{ readonly server: ServerTls; readonly client: TlsContext }> {
  const { ca } = await newAuthority()
  const own = await ca.generate('localhost', { key: ec })
  const client = await ca.generate('server.test', { key: ec })
  const authorities = (await ca.certificates()).pem
  return {
    server: { key: toPrivateKeyPem(own.key), cert: toCertificatePem(own.certificate), ca: authorities },
    client: {
      ca: authorities,
      crl: (await ca.revocationLists()).pem,
      cert: toCertificatePem(client.certificate),
      key: toPrivateKeyPem(client.key),
    },
  }
}

export interface ServerTls {
  readonly key: string
  readonly cert: string
  readonly ca: string
}

export async function httpsServer(tls: ServerTls, answer: Answer, port = 0): Promise<HttpsServer> {
  const seen: Seen[] = []
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const client = (request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString()
      const one = { method, url, headers, body: Buffer.concat(chunks), client }
      seen.push(one)
      made.answer(response, one)
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const made: HttpsServer = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    seen,
    answer,
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return made
}
