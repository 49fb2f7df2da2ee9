import { budgets } from '../../base/budgets/budgets.ts'
import { toPrintable } from '../../base/text/printable.ts'

/** Error kind in Puppet's error bodies. */
export type IssueKind =
  | 'HANDLER_NOT_FOUND'
  | 'RESOURCE_NOT_FOUND'
  | 'RUNTIME_ERROR'
  | 'MISSING_HEADER_FIELD'
  | 'UNSUPPORTED_FORMAT'
  | 'UNSUPPORTED_METHOD'
  | 'UNSUPPORTED_MEDIA_TYPE'

const prefixes = {
  400: 'Bad Request',
  403: 'Not Authorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  500: 'Server Error',
  502: 'Bad Gateway',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
} as const

/** An error response, ready to be sent. Handlers throw it; the error handler sends it. */
export class Refusal extends Error {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    contentType: string | undefined,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(body)
    this.name = 'Refusal'
    this.status = status
    this.contentType = contentType
    this.body = body
    this.headers = headers
  }
}

/**
 * Refusal in the format of Puppet's indirected routes. `hint` is an extension: Puppet's agents ignore it, and our
 * agents print it. protocol.md 1.6.
 */
export function createPuppetRefusal(
  status: keyof typeof prefixes,
  message: string,
  kind: IssueKind = 'RUNTIME_ERROR',
  hint?: string,
): Refusal {
  const said = hint === undefined ? undefined : toPrintable(hint.slice(0, budgets.node.hint.bound))
  const body = JSON.stringify({ message: `${prefixes[status]}: ${message}`, issue_kind: kind, hint: said })
  return new Refusal(status, 'application/json;charset=utf-8', body)
}

/** Refusal in plain text, as Puppet Server sends it. protocol.md 1.7. */
export function createPlainRefusal(status: number, message: string): Refusal {
  return new Refusal(status, 'text/plain;charset=utf-8', message)
}

/** A refusal without a content type. protocol.md 1.7: authorization and relative paths. */
export function createBareRefusal(status: number, message: string): Refusal {
  return new Refusal(status, undefined, message)
}
