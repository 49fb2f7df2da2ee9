import { defineIssues, diagnose, PuppetError } from '../base/issue.ts'

/** In the words of Puppet's `http/errors.rb`, `http/client.rb` and `ssl/verifier.rb`. */
export const issues = defineIssues({
  HTTP_RESPONSE: {
    text: (a: { status: number; message: string; hint: string | undefined }) =>
      `Error ${a.status} on SERVER: ${a.message}`,
    hint: (a) => a.hint,
  },
  HTTP_FAILED: {
    text: (a: { url: string; seconds: number; why: string }) =>
      `Request to ${a.url} failed after ${a.seconds} seconds: ${a.why}`,
  },
  HTTP_CONNECT_TIMEOUT: {
    text: (a: { url: string; seconds: number }) =>
      `Request to ${a.url} timed out connect operation after ${a.seconds} seconds`,
  },
  HTTP_READ_TIMEOUT: {
    text: (a: { url: string; seconds: number }) =>
      `Request to ${a.url} timed out read operation after ${a.seconds} seconds`,
  },
  HTTP_TOO_MANY_REDIRECTS: { text: (a: { url: string }) => `Too many HTTP redirections for ${a.url}` },
  HTTP_TOO_MANY_RETRIES: { text: (a: { url: string }) => `Too many HTTP retries for ${a.url}` },
  HTTP_TOO_LONG: { text: (a: { url: string; most: number }) => `The answer of ${a.url} has more than ${a.most} bytes` },
  HTTP_LOCATION_MISSING: { text: (_: object) => 'Location response header is missing' },
  HTTP_LOCATION_INVALID: { text: (a: { location: string }) => `Location URI is invalid: ${a.location}` },
  HTTP_RETRY_AFTER_INVALID: {
    text: (a: { value: string }) => `Failed to parse Retry-After header '${a.value}' as an integer or RFC 2822 date`,
  },
  HTTP_BODY_INVALID: { text: (a: { url: string; why: string }) => `Could not read the answer of ${a.url}: ${a.why}` },
  CERT_VERIFY: {
    text: (a: { why: string; host: string }) => `certificate verify failed [${a.why} for ${a.host}]`,
  },
  CERT_MISMATCH: {
    text: (a: { host: string; names: readonly string[] }) =>
      `Server hostname '${a.host}' did not match server certificate; ${
        a.names.length === 1 ? `expected ${a.names[0]}` : `expected one of ${a.names.join(', ')}`
      }`,
  },
  NO_SERVER: {
    text: (a: { list: readonly string[] }) =>
      `Could not select a functional puppet server from server_list: '${a.list.join(',')}'`,
  },
})

/** The server answered, but not with what was asked for. */
export class ResponseError extends PuppetError {
  readonly status: number
  /** As the server words it, without `Error … on SERVER`. */
  readonly reason: string

  constructor(status: number, reason: string, hint?: string) {
    super(diagnose(issues.HTTP_RESPONSE, { status, message: reason, hint }))
    this.name = 'ResponseError'
    this.status = status
    this.reason = reason
  }
}

/** The error, when it is an answer with this status. */
export function hasStatus(error: unknown, status: number): error is ResponseError {
  return error instanceof ResponseError && error.status === status
}
