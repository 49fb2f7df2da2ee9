import { budgets } from '../../base/budgets.ts'
import { errorOf, fail, isIssue } from '../../base/issue.ts'
import { printable } from '../../base/printable.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { type CaV1, caV1 } from '../../client/ca-v1.ts'
import { ResponseError } from '../../client/errors.ts'
import { type HostTlsSettings, hostTls } from '../../client/host-tls.ts'
import { HttpClient } from '../../client/http-client.ts'
import { type ProxySettings, proxyChoice } from '../../client/proxy.ts'
import { reasonText } from '../../ruby-semantics/errno.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Files } from '../../system/system.ts'
import { remoteIssues } from './issues.ts'

/** The settings by which an authority elsewhere is asked. */
export type RemoteAuthoritySettings = HostTlsSettings &
  ProxySettings &
  Pick<Settings, 'ca_server' | 'ca_port' | 'sourceaddress' | 'http_connect_timeout' | 'http_user_agent'>

/** An authority on another server. Throws ResponseError, AUTHORITY_AWAY, AUTHORITY_OVERLOADED. */
export interface RemoteAuthority {
  /** An answer; those who ask for the same at the same time share one. `known` shows our certificate. */
  ask<Answer>(what: string, question: Question<Answer>, as?: 'known'): Promise<Answer>
  tell(question: Question<void>): Promise<void>
}

type Question<Answer> = (authority: CaV1) => Promise<Answer>

/** The mark of a request that a server hands on for another. RFC 9110, 7.6.3. */
export const viaServer = '1.1 plumb'

/**
 * The authority at `ca_server`. Whoever asks here may be anybody, so that the authority is asked as by anybody, without our
 * certificate, wherever that is enough.
 */
export function remoteAuthority(
  settings: RemoteAuthoritySettings,
  files: Pick<Files, 'readText'>,
  { timeoutMs = budgets.authority.forwardTime.bound }: { readonly timeoutMs?: number } = {},
): RemoteAuthority {
  const address = new URL(`https://${hostText(settings.ca_server)}:${settings.ca_port}`)
  const underWay = new Map<string, Promise<unknown>>()
  let count = 0

  async function asked<Answer>(question: Question<Answer>, isKnown: boolean): Promise<Answer> {
    if (count >= budgets.authority.forwards.bound) fail(remoteIssues.AUTHORITY_OVERLOADED, { address: address.host })
    count++
    let http: HttpClient | undefined
    try {
      http = clientOf(settings, await hostTls(settings, files), isKnown, address.host)
      const ending = new AbortController()
      const answer = question(caV1(http, async () => address, { signal: ending.signal }))
      return await within(timeoutMs, answer, () => ending.abort(), address.host)
    } catch (error) {
      throw wordedFor(error, address.host)
    } finally {
      count--
      await http?.close()
    }
  }

  return {
    ask<Answer>(what: string, question: Question<Answer>, as?: 'known') {
      const known = underWay.get(what)
      if (known) return known as Promise<Answer>
      const answer = asked(question, as === 'known').finally(() => underWay.delete(what))
      underWay.set(what, answer)
      return answer
    },
    tell: (question) => asked(question, false),
  }
}

function clientOf(
  settings: RemoteAuthoritySettings,
  { cert, key, ...trust }: Awaited<ReturnType<typeof hostTls>>,
  isKnown: boolean,
  address: string,
): HttpClient {
  return new HttpClient({
    tls: isKnown && cert !== undefined && key !== undefined ? { ...trust, cert, key } : trust,
    headers: {
      'user-agent': settings.http_user_agent || `Puppet/${puppetVersion} Plumbline Node/${process.versions.node}`,
      'x-puppet-version': puppetVersion,
      via: viaServer,
    },
    connectTimeout: Math.min(settings.http_connect_timeout, budgets.authority.forwardTime.bound / 1000),
    readTimeout: budgets.authority.forwardTime.bound / 1000,
    keepAliveTimeout: 0,
    localAddress: settings.sourceaddress || undefined,
    proxyTo: proxyChoice(settings),
    // An agent waits by itself, and not in our memory.
    sleep: async () => fail(remoteIssues.AUTHORITY_OVERLOADED, { address }),
  })
}

async function within<Answer>(
  timeoutMs: number,
  work: Promise<Answer>,
  end: () => void,
  address: string,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const seconds = timeoutMs / 1000
    timer = setTimeout(() => {
      reject(new Error(`${address} has not answered in ${seconds} seconds`))
      end()
    }, timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The error in words: an answer of the authority as it is, and else AUTHORITY_AWAY. */
function wordedFor(error: unknown, address: string): unknown {
  if (error instanceof ResponseError && error.status < 500) return error
  if (isIssue(error, remoteIssues.AUTHORITY_OVERLOADED)) return error
  const why = printable(reasonText(error))
  return errorOf(remoteIssues.AUTHORITY_AWAY, { address, why })
}

function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
