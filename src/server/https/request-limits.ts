import type { ServerResponse } from 'node:http'
import { type Budget, budgets } from '../../base/budgets/budgets.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'
import type { Client } from '../http/client.ts'
import { toAccountKey } from '../http/client-account.ts'

/** Rate and concurrency limits for one kind of request. */
export interface Allowance {
  /** Name of the allowance, unique among the limits of one client. */
  readonly name: string
  readonly of: string
  readonly perMinute: number
  readonly atOnce: number
}

/** A request to be checked against the limits. */
export interface Arrival {
  readonly client: Client
  readonly method: string
  readonly path: string
  /** The request counts as active until this response closes. */
  readonly response: ServerResponse
}

/** Operator-configurable request limits. */
export interface AdmissionSettings {
  readonly max_requests_per_minute: number
  readonly max_requests_at_once: number
}

/** A token bucket: `tokens` refills over time. */
interface Account {
  tokens: number
  /** Time at which `tokens` was computed, in milliseconds. */
  at: number
  underWay: number
}

/** Maximum number of buckets kept; a client whose bucket was dropped starts with a full one. */
const mostClients = 10_000
const minute = 60_000

const { node } = budgets
const kinds: readonly { readonly allowance: Allowance; is(method: string, path: string): boolean }[] = [
  {
    allowance: createAllowance('catalogs', node.catalogs),
    is: (_, path) => /^\/puppet\/(?:v3\/catalog\/|v4\/catalog$)/.test(path),
  },
  {
    allowance: createAllowance('documents', node.documents, node.documentsAtOnce),
    is: (_, path) => /^\/puppet\/v3\/(?:facts|report|node)\//.test(path),
  },
  {
    allowance: createAllowance('renewals', node.renewals),
    is: (_, path) => path.startsWith('/puppet-ca/v1/certificate_renewal'),
  },
  {
    allowance: createAllowance('searches', node.searches, node.searchesAtOnce),
    is: (_, path) => path.startsWith('/puppet/v3/file_metadatas/') || path.startsWith('/plumb/v1/plugins/'),
  },
  {
    allowance: createAllowance('downloads', node.requests, node.downloadsAtOnce),
    is: (method, path) =>
      method === 'GET' && /^\/puppet\/v3\/(?:file_content|static_file_content|file_bucket_file)\//.test(path),
  },
  {
    allowance: createAllowance('uploads', node.uploads, node.uploadsAtOnce),
    is: (method, path) => method === 'PUT' && path.startsWith('/puppet/v3/file_bucket_file/'),
  },
]
const strangers = createAllowance('requests', node.strangerRequests, node.strangerRequestsAtOnce)

/** Enforces the request limits of each client: per certname or token, otherwise per address. */
export class Admission {
  readonly #accounts = createGrowingLru<Account>(mostClients * (kinds.length + 1))
  readonly #settings: AdmissionSettings
  readonly #now: () => number

  constructor(settings: AdmissionSettings, now: () => number = Date.now) {
    this.#settings = settings
    this.#now = now
  }

  /** Counts a request as active until its response closes. Throws 429 with `Retry-After` if a limit is exceeded. */
  enter({ client, method, path, response }: Arrival): void {
    const isKnown = client.certname !== undefined || client.token !== undefined
    const who = toAccountKey(client)
    const kind = kinds.find(({ is }) => is(method, path))?.allowance
    const wanted = [isKnown ? this.#nodes() : strangers, ...(kind ? [kind] : [])]
    const accounts = wanted.map((each) => this.#account(who, each))
    for (const [at, account] of accounts.entries()) this.#require(who, wanted[at]!, account)
    for (const account of accounts) account.tokens--
    // If the client disconnected during identification, `close` has already fired, so the request must not be
    // counted.
    if (response.destroyed) return
    for (const account of accounts) account.underWay++
    response.once('close', () => {
      for (const account of accounts) account.underWay--
    })
  }

  /** Reads the current settings, since they may change while the server runs. */
  #nodes(): Allowance {
    const { max_requests_per_minute: perMinute, max_requests_at_once: atOnce } = this.#settings
    return { ...createAllowance('requests', node.requests), perMinute, atOnce }
  }

  #account(who: string, { name, perMinute }: Allowance): Account {
    const key = `${name} of ${who}`
    const now = this.#now()
    const account = this.#accounts.get(key) ?? { tokens: perMinute, at: now, underWay: 0 }
    account.tokens = Math.min(perMinute, account.tokens + ((now - account.at) / minute) * perMinute)
    account.at = now
    this.#accounts.set(key, account)
    return account
  }

  #require(who: string, { of, perMinute, atOnce }: Allowance, { tokens, underWay }: Account): void {
    if (underWay >= atOnce)
      throw createRetryRefusal(429, `Too many requests: ${of} of ${toPrintable(who)}, at most ${atOnce} at once`)
    if (tokens >= 1) return
    const seconds = Math.ceil(((1 - tokens) / perMinute) * 60)
    throw createRetryRefusal(
      429,
      `Too many requests: ${of} of ${toPrintable(who)}, at most ${perMinute} per minute`,
      seconds + 1,
    )
  }
}

function createAllowance(name: string, rate: Budget, atOnce: Budget = node.requestsAtOnce): Allowance {
  const of = name === 'requests' ? 'all' : name
  return { name, of, perMinute: rate.bound, atOnce: atOnce.bound }
}
