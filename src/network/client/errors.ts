import { createDiagnostic, defineIssues, PuppetError } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'

interface Place {
  readonly url: string
  readonly host: string
  readonly port: string
  readonly seconds: number
}

/** Errors with the messages of Puppet's `http/errors.rb`, `http/client.rb` and `ssl/verifier.rb`. */
export const httpIssues = defineIssues({
  HTTP_RESPONSE: {
    text: (a: { status: number; message: string; hint: string | undefined }) =>
      `Error ${a.status} on SERVER: ${a.message}`,
    hint: (a) => a.hint ?? (a.status === 403 ? formatRevokedHint(a.message) : undefined),
  },
  HTTP_FAILED: {
    text: (a: Place & { why: string; hint: string | undefined }) =>
      `Request to ${a.url} failed after ${a.seconds} seconds: ${a.why}`,
    hint: (a) => a.hint,
  },
  HTTP_INTERRUPTED: {
    text: (a: Place) => `Request to ${a.url} interrupted after ${a.seconds} seconds`,
    hint: formatClosedHint,
  },
  HTTP_CONNECT_TIMEOUT: {
    text: (a: Place) => `Request to ${a.url} timed out connect operation after ${a.seconds} seconds`,
    hint: (a) =>
      `Port ${a.port} of ${a.host} does not respond. Check the address, the firewall, and whether the host is running. ` +
      'The setting http_connect_timeout limits the wait.',
  },
  HTTP_READ_TIMEOUT: {
    text: (a: Place) => `Request to ${a.url} timed out read operation after ${a.seconds} seconds`,
    hint: (a) =>
      `${a.host} accepted the request but did not reply in time. Check its load and its log. ` +
      'The setting http_read_timeout limits the wait.',
  },
  HTTP_TOO_MANY_REDIRECTS: { text: (a: { url: string }) => `Too many HTTP redirections for ${a.url}` },
  HTTP_TOO_MANY_RETRIES: { text: (a: { url: string }) => `Too many HTTP retries for ${a.url}` },
  HTTP_TOO_LONG: { text: (a: { url: string; most: number }) => `The response from ${a.url} exceeds ${a.most} bytes` },
  HTTP_LOCATION_MISSING: { text: (_: object) => 'Location response header is missing' },
  HTTP_LOCATION_INVALID: { text: (a: { location: string }) => `Location URI is invalid: ${a.location}` },
  HTTP_RETRY_AFTER_INVALID: {
    text: (a: { value: string }) => `Failed to parse Retry-After header '${a.value}' as an integer or RFC 2822 date`,
  },
  HTTP_BODY_INVALID: {
    text: (a: { url: string; why: string }) => `Could not read the response from ${a.url}: ${a.why}`,
  },
  CERT_VERIFY: {
    text: (a: { why: string; subject: string; hint: string | undefined }) =>
      `certificate verify failed [${a.why} for ${a.subject}]`,
    hint: (a) => a.hint,
  },
  CERT_MISMATCH: {
    text: (a: { host: string; names: readonly string[] }) =>
      `Server hostname '${a.host}' did not match server certificate; ${
        a.names.length === 1 ? `expected ${a.names[0]}` : `expected one of ${a.names.join(', ')}`
      }`,
    hint: (a) =>
      `Set server to one of these names, or issue a server certificate with the name '${a.host}' ` +
      '(set dns_alt_names before you generate it).',
  },
  NO_SERVER: {
    text: (a: { list: readonly string[] }) =>
      `Could not select a functional puppet server from server_list: '${a.list.join(',')}'`,
    hint: () => 'The preceding warnings give the error of each server.',
  },
})

/** Returns the hint for a connection that the server closed before the response was complete. */
export function formatClosedHint({ host }: Pick<Place, 'host'>): string {
  return `${host} closed the connection before the response was complete. Check its log.`
}

/**
 * Returns the hint for a revoked certificate. A Plumb server reports the revocation to the client that has the
 * certificate.
 */
function formatRevokedHint(message: string): string | undefined {
  const [, name] = /Certificate 'CN=([^']{1,255})' is revoked/.exec(message) ?? []
  return name === undefined ? undefined : formatReenrollHint(toPrintable(name))
}

/** Returns a hint with the steps to replace a host's invalid certificate. */
export function formatReenrollHint(name: string): string {
  return (
    `To replace it, run 'plumb ca clean --certname ${name}' on the CA server and 'plumb ssl clean' on this host. ` +
    'The next agent run requests a new certificate.'
  )
}

interface Details {
  readonly hint?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

/** An HTTP response with an error status. */
export class ResponseError extends PuppetError {
  readonly status: number
  /** The server's message, without the prefix `Error … on SERVER`. */
  readonly reason: string
  readonly headers: Readonly<Record<string, string>>
  /** Body of the response as received; it may be truncated. */
  readonly text: string

  constructor(status: number, reason: string, { hint, headers = {}, text = reason }: Details = {}) {
    super(createDiagnostic(httpIssues.HTTP_RESPONSE, { status, message: reason, hint }))
    this.name = 'ResponseError'
    this.headers = headers
    this.status = status
    this.reason = reason
    this.text = text
  }
}

/** Returns true if the error is a response with this status. */
export function hasResponseStatus(error: unknown, status: number): error is ResponseError {
  return error instanceof ResponseError && error.status === status
}

/** Awaits a response; returns `undefined` if it is a 404. */
export async function ignoreNotFound<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (hasResponseStatus(error, 404)) return undefined
    throw error
  }
}
