import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject, checkJsonString, checkOptionalString, wireIssues } from '../../base/json/json-checks.ts'
import { isOrderId, parseOrderId } from './order.ts'

/** Path of the WebSocket on which a node waits for orders. */
export const ordersPath = '/plumb/v1/orders'

/** Reasons why a node refuses an order. */
export const refusalReasons = ['running', 'disabled', 'invalid', 'expired', 'executed', 'full', 'failed'] as const

/** The reason why a node refuses an order. */
export type RefusalReason = (typeof refusalReasons)[number]

/** A message from the server to a node. */
export type ServerMessage =
  /** An order as JSON, or as a signed statement. */
  | { readonly type: 'order'; readonly order: string }
  | { readonly type: 'order'; readonly signed: string }
  /** The server has stored the last message about the order. */
  | { readonly type: 'ack'; readonly id: string }

/** A message from a node to the server, about one order. */
export type NodeMessage =
  | { readonly type: 'started'; readonly id: string }
  | FinishedMessage
  | { readonly type: 'refused'; readonly id: string; readonly reason: RefusalReason; readonly message: string }

/** The result of an ordered run. */
export interface FinishedMessage {
  readonly type: 'finished'
  readonly id: string
  /** Exit status of the run, as with `--detailed-exitcodes`. */
  readonly status: number
  /** Transaction UUID of the run's report; absent if the run ended before its report. */
  readonly report?: string | undefined
  /** Commit of the applied catalog. */
  readonly code_id?: string | undefined
}

/** WebSocket close codes. */
export const closeCodes = {
  /** The server ends; the reason contains the seconds after which the node should reconnect. */
  restart: 1012,
  /** A message is invalid, or there are too many messages. */
  policy: 1008,
  /** The certificate of the node is no longer valid. */
  revoked: 4001,
  /** The node has a newer connection. */
  replaced: 4002,
} as const

const bounds = { characters: budgets.order.message.bound, items: 200, depth: 4 }
const statuses = 255

/** Parses a message from a node. Throws for invalid JSON, and WIRE_SHAPE. */
export function parseNodeMessage(text: string): NodeMessage {
  const message = checkJsonObject(parseBoundedJson(text, bounds), 'message')
  const id = parseOrderId(message['id'])
  switch (message['type']) {
    case 'started':
      return { type: 'started', id }
    case 'finished':
      return parseFinished(id, message)
    case 'refused': {
      const reason = refusalReasons.find((known) => known === message['reason'])
      if (!reason) return throwIssue(wireIssues.WIRE_SHAPE, { what: 'reason', expected: 'a known reason' })
      return { type: 'refused', id, reason, message: cutText(checkJsonString(message['message'], 'message')) }
    }
    default:
      return throwIssue(wireIssues.WIRE_SHAPE, { what: 'type', expected: 'started, finished or refused' })
  }
}

function parseFinished(id: string, message: Readonly<Record<string, unknown>>): FinishedMessage {
  const { status, report, code_id: codeId } = message
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 0 || status > statuses)
    return throwIssue(wireIssues.WIRE_SHAPE, { what: 'status', expected: 'an exit status' })
  const transaction = checkOptionalString(report, 'report')
  if (transaction !== undefined && !isOrderId(transaction))
    throwIssue(wireIssues.WIRE_SHAPE, { what: 'report', expected: 'a UUID' })
  const commit = checkOptionalString(codeId, 'code_id')
  return {
    ...{ type: 'finished', id, status },
    ...(transaction !== undefined && { report: transaction }),
    ...(commit !== undefined && { code_id: cutText(commit) }),
  }
}

/** Parses a message from the server; undefined for a type of a newer version. Throws for invalid JSON, and WIRE_SHAPE. */
export function parseServerMessage(text: string): ServerMessage | undefined {
  const { type, id, order, signed } = checkJsonObject(parseBoundedJson(text, bounds), 'message')
  if (type === 'ack') return { type, id: parseOrderId(id) }
  if (type !== 'order') return undefined
  return signed === undefined
    ? { type, order: checkJsonString(order, 'order') }
    : { type, signed: checkJsonString(signed, 'signed') }
}

function cutText(text: string): string {
  return text.slice(0, budgets.order.text.bound)
}

/** The reason in the close message of a server that ends. */
export function formatReconnectDelay(seconds: number): string {
  return `Reconnect in ${seconds} seconds`
}

const longestSeconds = 600

/** Reads the delay in seconds from the reason of a close message; undefined for other text. */
export function parseReconnectDelay(reason: string): number | undefined {
  const [, digits] = /^Reconnect in (\d{1,4}) seconds$/.exec(reason) ?? []
  return digits === undefined ? undefined : Math.min(Number(digits), longestSeconds)
}
