import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { identities } from '../store/puppetdb/https-server.ts'

/** A request that the servers have received. */
export interface SeenByCloud {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What may be set of the servers; see `cloud-server.js`. */
export interface CloudState {
  readonly vaults: Record<string, Record<string, Record<string, string>>>
  readonly parameters: Record<string, readonly string[]>
  readonly projects: Record<string, Record<string, readonly string[]>>
  readonly account: string
  readonly lifetime: unknown
  /** End of the tokens and of the key ids of roles that are issued, and of those that are valid. */
  readonly issued: string
  readonly valid: string
  /** How often parameters and secrets were created again. */
  readonly epoch: number
  /** File that proves to the agent of Azure Arc where the client runs; empty for no header. */
  readonly challenge: string
  /** The kind of answer of a broken server; see `odd-answers.js`. */
  readonly odd: string | undefined
  readonly seen: readonly SeenByCloud[]
}

/** Servers with the APIs of clouds on loopback: one of HTTPS, and one of HTTP for metadata. */
export interface Cloud {
  readonly url: string
  readonly plainUrl: string
  /** The CA of the server of HTTPS, as PEM. */
  readonly ca: string
  /** Value of the setting `external_secret_endpoints`. */
  readonly endpoints: readonly string[]
  set(state: Partial<CloudState>): Promise<void>
  report(): Promise<CloudState>
  stop(): Promise<unknown>
}

/** Starts the servers. Writes their CA to `ca.pem` in the folder. */
export async function openCloud(folder: string): Promise<Cloud> {
  const { server, client } = await identities()
  writeFileSync(join(folder, 'ca.pem'), String(client.ca))
  const worker = new Worker(join(import.meta.dirname, 'cloud-server.js'), { workerData: server })
  const [[port, plainPort]] = (await once(worker, 'message')) as [[number, number]]
  const [url, plainUrl] = [`https://localhost:${port}`, `http://localhost:${plainPort}`]
  const report = async () => {
    const answered = once(worker, 'message')
    worker.postMessage('report')
    return (await answered)[0] as CloudState
  }
  const [ssm, kms] = ['ssm', 'kms'].map((name) => `${name}=${url}`)
  return {
    ...{ url, plainUrl, ca: String(client.ca), report },
    endpoints: [
      ...[ssm!, kms!, `azure-vault=${url}/azure/{vault}`, `azure-login=${url}/login`],
      ...[`azure-metadata=${plainUrl}/imds`, `azure-arc=${plainUrl}/arc`, `google-secrets=${url}/google`],
      ...[
        `google-kms=${url}/google`,
        `google-login=${url}/google-login`,
        `google-metadata=${plainUrl}/google-metadata`,
      ],
    ],
    async set(state) {
      worker.postMessage(state)
      await report()
    },
    stop: () => worker.terminate(),
  }
}
