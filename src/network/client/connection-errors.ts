import { createPuppetError, PuppetError } from '../../base/issue.ts'
import { formatClosedHint, httpIssues } from './errors.ts'

/** Creates the error of a timeout; Node has no code for it. */
export function createTimeoutError(name: 'CONNECT_TIMEOUT' | 'READ_TIMEOUT'): Error {
  return Object.assign(new Error(name), { code: name })
}

/** An error from Node, from OpenSSL (through Node), or from this client. */
interface Failure extends Error {
  readonly code?: string
  /** OpenSSL's message, without the position in OpenSSL's source code. */
  readonly reason?: string
  readonly errors?: readonly Error[]
}

interface Place {
  readonly host: string
  readonly port: string
}

interface Trouble {
  readonly why: string
  readonly hint: string | undefined
}

/**
 * Converts an error of a connection to a PuppetError with Puppet's message and a hint. `seconds` is the time that the
 * request took.
 */
export function toConnectionError(error: unknown, url: URL, seconds: number): PuppetError {
  if (error instanceof PuppetError) return error
  const failure = error as Failure
  const place = { url: `${url.origin}${url.pathname}`, host: url.hostname, port: url.port || '443', seconds }
  switch (failure.code) {
    case 'CONNECT_TIMEOUT':
      return createPuppetError(httpIssues.HTTP_CONNECT_TIMEOUT, place)
    case 'READ_TIMEOUT':
      return createPuppetError(httpIssues.HTTP_READ_TIMEOUT, place)
    default:
      // Node's messages if the server closes the connection before or during the response.
      if (['socket hang up', 'aborted'].includes(failure.message))
        return createPuppetError(httpIssues.HTTP_INTERRUPTED, place)
      return createPuppetError(httpIssues.HTTP_FAILED, { ...place, ...describeFailure(failure, place) })
  }
}

function describeFailure(failure: Failure, place: Place): Trouble {
  const { code = '', reason, message, errors } = failure
  if (Object.hasOwn(unreached, code)) {
    const { words, hint } = unreached[code]!
    return { why: `Failed to open TCP connection to ${place.host}:${place.port} (${words(place)})`, hint: hint(place) }
  }
  if (notTls.has(code) || /before secure TLS connection was established/.test(message))
    return { why: reason ?? message, hint: formatNotTlsHint(place) }
  if (code === 'ECONNRESET') return { why: 'Connection reset by peer', hint: formatClosedHint(place) }
  if (/alert (certificate|bad certificate|unknown ca)/.test(reason ?? ''))
    return {
      why: reason!,
      hint: `${place.host} rejected the certificate of this host. Run 'plumb ssl verify' to check the certificate.`,
    }
  return { why: reason ?? (message || (errors?.[0]?.message ?? code)), hint: undefined }
}

interface Unreached {
  words(place: Place): string
  hint(place: Place): string
}

const describeUnreached = (words: string, hint: Unreached['hint']): Unreached => ({
  words: ({ host, port }) => `${words} - connect(2) for "${host}" port ${port}`,
  hint,
})
const formatNoRouteHint: Unreached['hint'] = ({ host }) => `Check the address of ${host} and the network connection.`

/** Errors of the operating system and of the resolver, in the words of Ruby's Errno and getaddrinfo. */
const unreached: Readonly<Record<string, Unreached>> = {
  ECONNREFUSED: describeUnreached(
    'Connection refused',
    ({ host, port }) =>
      `No service listens on port ${port} of ${host}. Check that the server is running and that the setting serverport has its port.`,
  ),
  EHOSTUNREACH: describeUnreached('No route to host', formatNoRouteHint),
  ENETUNREACH: describeUnreached('Network is unreachable', formatNoRouteHint),
  ETIMEDOUT: describeUnreached('Connection timed out', formatNoRouteHint),
  ENOTFOUND: {
    words: () => 'getaddrinfo: Name or service not known',
    hint: ({ host }) => `The name '${host}' is not in DNS or /etc/hosts. Check the setting server (default: puppet).`,
  },
  EAI_AGAIN: {
    words: () => 'getaddrinfo: Temporary failure in name resolution',
    hint: ({ host }) =>
      `No name server replied to the query for '${host}'. Check the name servers in /etc/resolv.conf.`,
  },
}

/** OpenSSL's error codes for a response that does not use TLS. */
const notTls: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'EPROTO',
])

function formatNotTlsHint({ host, port }: Place): string {
  return `The service on port ${port} of ${host} does not use TLS. Check that the setting serverport has the port of the server.`
}
