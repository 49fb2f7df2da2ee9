import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A request that the server has received. */
export interface SeenByVault {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly namespace?: string
  readonly version?: string
}

/** The counters and requests of the server, and what may be set of them. */
export interface VaultState {
  readonly secrets: Record<string, Record<string, unknown>>
  readonly tokens: Record<string, number>
  readonly isSealed: boolean
  readonly isRenewable: boolean
  /** Seconds for which a token or a leased secret is valid. */
  readonly lease: number
  readonly logins: number
  readonly renewals: number
  readonly leases: number
  /** Time of creation of the versions of KV v2. */
  readonly created: string
  readonly seen: readonly SeenByVault[]
  /** The kind of answer of a broken server: `html`, `huge`, `endless`, `silent`, `deep`, `error`, or a URL to redirect to. */
  readonly odd: string | undefined
}

/** A server with the API of Vault on loopback, in a thread of its own. */
export interface VaultServer {
  readonly url: string
  set(state: Partial<VaultState>): Promise<void>
  report(): Promise<VaultState>
  stop(): Promise<unknown>
}

/** Starts a server with the secrets of `vault-server.js`; with TLS if an identity is given. */
export async function openVault(tls?: { key: string; cert: string; ca: string }): Promise<VaultServer> {
  const worker = new Worker(join(import.meta.dirname, 'vault-server.js'), { workerData: tls })
  const [port] = (await once(worker, 'message')) as [number]
  const report = async () => {
    const answered = once(worker, 'message')
    worker.postMessage('report')
    return (await answered)[0] as VaultState
  }
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}`,
    report,
    async set(state) {
      worker.postMessage(state)
      await report()
    },
    stop: () => worker.terminate(),
  }
}
