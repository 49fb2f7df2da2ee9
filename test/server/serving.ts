import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { pino } from 'pino'
import { toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../src/ca/x509/keys.ts'
import { loadSettings, type Settings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { type CodeServer, startCodeServer } from '../../src/server/code-server.ts'
import { openConfiguredAuthority } from '../../src/store/authority/configured-authority.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

export interface Call {
  /** The name in the client's certificate; without one there is no certificate. */
  readonly as?: string
  /** A certificate that the server's authority did not make. */
  readonly credentials?: { readonly key: string; readonly cert: string }
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A code server of this process on loopback, spoken to over TLS with certificates of its authority. */
export interface Serving {
  readonly server: CodeServer
  readonly settings: Settings
  readonly folder: string
  /** What it logged, a line each. */
  readonly log: string[]
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** A key and a certificate in PEM, made when first asked for. */
  credentials(name: string): Promise<{ readonly key: string; readonly cert: string }>
  revoke(name: string): Promise<void>
  stop(): Promise<void>
}

/** Serves; `given` are settings beside those of the test. */
export async function serve(given: Readonly<Record<string, string>>): Promise<Serving> {
  const folder = scratchFolder('serving')
  const own = {
    confdir: join(folder, 'etc'),
    vardir: join(folder, 'var'),
    certname: 'localhost',
    serverport: '0',
    bindaddress: '127.0.0.1',
    key_type: 'ec',
    compile_workers: '2',
    // Most tests ask nothing of a store, and look for facts in files.
    store: 'none',
    // Tests write refs past all hooks, and mean it.
    gate: 'off',
  }
  const all = { ...own, ...given }
  const settings = loadSettings({ given: all, runMode: 'server', env: {} })
  const log: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) })
  const parts = { settings, given: all, system: localSystem, log: logger, version: '0.0.0', progress: () => {} }
  const server = await startCodeServer(parts)
  const authority = await openConfiguredAuthority(settings, localSystem)
  const agent = new Agent({ keepAlive: false })
  const known = new Map<string, Promise<{ key: string; cert: string }>>()
  const credentials = (name: string) => {
    const made = known.get(name) ?? generate(name)
    known.set(name, made)
    return made
  }
  const generate = async (name: string) => {
    const administers = name.startsWith('admin')
    const { key, certificate } = await authority.generate(name, {
      key: { type: 'ec', curve: 'prime256v1' },
      administers,
    })
    return { key: toPrivateKeyPem(key), cert: toCertificatePem(certificate) }
  }
  const ca = (await authority.certificates()).pem
  return {
    server,
    settings,
    folder,
    log,
    credentials,
    revoke: (name) => authority.revoke(name),
    async call(method, path, { as, credentials: given, headers = {}, body } = {}) {
      const tls = given ?? (as === undefined ? {} : await credentials(as))
      const { port } = new URL(server.url)
      return new Promise((done, failed) => {
        const options = { method, host: 'localhost', port, path, headers: { ...headers }, ca, agent, ...tls }
        const request = httpsRequest(options, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', failed)
          answer.on('end', () => {
            const bytes = Buffer.concat(chunks)
            done({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString('utf8') })
          })
        })
        request.on('error', failed)
        request.end(body)
      })
    },
    async stop() {
      agent.destroy()
      await server.close()
    },
  }
}

/** An error body of Puppet's. */
export function puppetError(message: string, issue_kind = 'RUNTIME_ERROR', hint?: string): string {
  return JSON.stringify({ message, issue_kind, hint })
}
