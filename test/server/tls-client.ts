import { readFileSync } from 'node:fs'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { getCaLayout } from '../../src/ca/file-layout.ts'
import {
  buildCertificate,
  type Certificate,
  parseCertificate,
  toCertificatePem,
} from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName, type DistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { buildExtendedKeyUsage, buildKeyUsage, type Extension } from '../../src/ca/x509/extensions.ts'
import { generatePrivateKey, parsePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { oids } from '../../src/ca/x509/oids.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'

/** A key and a certificate in PEM. */
export interface Credentials {
  readonly key: string
  readonly cert: string
}

/** What a test wants in a certificate; the rest is as an honest one has it. */
export interface Wanted {
  readonly name?: DistinguishedName
  readonly from?: Date
  readonly to?: Date
  readonly extensions?: readonly Extension[]
  /** Its own key signs it. */
  readonly selfSigned?: boolean
}

const day = 86_400_000
export const honest: readonly Extension[] = [
  buildExtendedKeyUsage(oids.serverAuth, oids.clientAuth),
  buildKeyUsage('digitalSignature', 'keyEncipherment'),
]

/** An authority with its key, as its folder has them. */
export function authorityIn(cadir: string) {
  const { certificate, key } = getCaLayout(cadir)
  return {
    certificate: parseCertificate(readFileSync(certificate, 'utf8')),
    key: parsePrivateKey(readFileSync(key, 'utf8')),
  }
}

/** A certificate of an authority, whatever it has to say. */
export async function forged(
  issuer: { readonly certificate: Certificate; readonly key: ReturnType<typeof parsePrivateKey> },
  wanted: Wanted = {},
): Promise<Credentials & { readonly certificate: Certificate }> {
  const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
  const name = wanted.name ?? createDistinguishedName('b.test')
  const certificate = await buildCertificate(
    {
      serial: BigInt(1000 + Math.floor(Math.random() * 1e9)),
      issuer: wanted.selfSigned ? name : issuer.certificate.subject,
      subject: name,
      notBefore: wanted.from ?? new Date(Date.now() - day),
      notAfter: wanted.to ?? new Date(Date.now() + day),
      spki: toPublicKeyDer(key),
      extensions: wanted.extensions ?? honest,
    },
    createKeySigner(wanted.selfSigned ? key : issuer.key),
  )
  return { key: toPrivateKeyPem(key), cert: toCertificatePem(certificate), certificate }
}

/** A TLS connection that stays, on which a test says what it likes. */
export class TlsClient {
  readonly socket: TLSSocket
  #said = ''
  #tell = () => {}

  private constructor(socket: TLSSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      this.#said += data.toString('latin1')
      this.#tell()
    })
    socket.on('close', () => this.#tell())
  }

  static async open(port: number, options: ConnectionOptions = {}): Promise<TlsClient> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
    const client = new TlsClient(socket)
    await new Promise<unknown>((done) => socket.once('secureConnect', done).once('close', done))
    if (socket.destroyed) throw new Error('the connection was closed before it was secured')
    return client
  }

  /** The status of an answer; 0 when the connection ended instead. */
  async get(path: string): Promise<number> {
    return (await this.ask(path)).status
  }

  /** The next answer, with its body. */
  async ask(
    path: string,
    headers: readonly string[] = [],
  ): Promise<{ readonly status: number; readonly body: string }> {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Accept: application/json', ...headers]
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return this.answer()
  }

  async answer(): Promise<{ readonly status: number; readonly body: string }> {
    for (;;) {
      const found = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n/.exec(this.#said)
      const length = Number(/content-length: (\d+)/i.exec(found?.[0] ?? '')?.[1] ?? 0)
      if (found && this.#said.length >= found[0].length + length) {
        const body = this.#said.slice(found[0].length, found[0].length + length)
        this.#said = this.#said.slice(found[0].length + length)
        return { status: Number(found[1]), body }
      }
      if (this.socket.destroyed) return { status: 0, body: '' }
      await new Promise<void>((done) => (this.#tell = done))
    }
  }

  close(): void {
    this.socket.destroy()
  }
}
