import { Dispatcher } from './dispatcher.ts'
import { formatOrigin, type ServerAddress } from './server-choice.ts'

/** The response of a server's status service. */
export interface ServerStatus {
  /** The state, such as `running`: the first part of the body; empty without a body. */
  readonly state: string
  /** The Date header, in milliseconds since 1970; NaN without a valid one. */
  readonly date: number
}

/**
 * Requests the status of a server within `patienceMs`. The certificate is not verified, so that the response is no more
 * than a hint. Undefined if the server does not respond.
 */
export async function requestServerStatus(
  address: ServerAddress,
  patienceMs: number,
): Promise<ServerStatus | undefined> {
  const signal = AbortSignal.timeout(patienceMs)
  const dispatcher = new Dispatcher({ tls: () => ({ rejectUnauthorized: false }), signal })
  try {
    const { headers, body } = await dispatcher.request(new URL('/status/v1/simple', formatOrigin(address)), { signal })
    const parts: readonly string[] = await body
      .setEncoding('utf8')
      .take(1)
      .toArray()
      .catch(() => [])
    return { state: parts[0] ?? '', date: Date.parse(String(headers['date'])) }
  } catch {
    return undefined
  }
}
