import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { isCatalogSigner } from '../../ca/catalog-signer.ts'
import type { Certificate } from '../../ca/x509/certificate.ts'
import { type ChainTrust, verifyChain } from '../../ca/x509/chain.ts'
import { findCommonName } from '../../ca/x509/distinguished-name.ts'
import { createStatementWriter, type StatementSigner, verifyStatement } from '../../ca/x509/json-web-signature.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { type Order, parseOrder } from './order.ts'
import type { ServerMessage } from './order-messages.ts'

const { lifetime } = budgets.order

/** Reasons for rejecting an order. */
export const orderRejections = defineIssues({
  ORDER_UNSIGNED: {
    text: (_: object) => 'The order is not signed',
    hint: () =>
      'On the server, set catalog_signing to true and catalog_signer to a key. On the agent, catalog_signature sets which orders are accepted.',
  },
  ORDER_BROKEN: { text: (a: { why: string }) => `Could not read the order: ${a.why}` },
  ORDER_SIGNER_UNTRUSTED: {
    text: (a: { signer: string; why: string }) =>
      `The order was signed by '${a.signer}', which is not trusted: ${a.why}`,
  },
  ORDER_OF_ANOTHER: { text: (a: { node: string }) => `The order is for another node, '${a.node}'` },
  ORDER_EXPIRED: {
    text: (a: { expired: string }) => `The order expired at ${a.expired}`,
    hint: () => 'Compare the clocks of this node and the server.',
  },
  ORDER_EARLY: {
    text: (a: { issued: string }) => `The order was issued in the future, or is valid for too long: ${a.issued}`,
    hint: () => 'Compare the clocks of this node and the server.',
  },
})

/** The type of this statement; no other kind of signed statement has the same type. */
const kind = 'plumb-order+jws'

/** Returns a function that turns an order into a signed message; without a signer, into an unsigned one. */
export function createOrderWriter(signer: StatementSigner | undefined): (order: Order) => ServerMessage {
  const write = signer && createStatementWriter(kind, signer)
  return (order) => {
    const text = JSON.stringify(order)
    return write ? { type: 'order', signed: write(text) } : { type: 'order', order: text }
  }
}

/** The conditions for accepting the signature of an order. */
export interface OrderTrust {
  readonly now: Date
  /** The setting `catalog_signature`. */
  readonly wanted: 'check' | 'require' | 'off'
  /** Returns the trusted authorities; called only for a signed order. */
  trust(): Promise<ChainTrust>
}

/** The conditions for executing an order. Times are in milliseconds since 1970. */
export interface OrderConditions {
  /** Certname of this node. */
  readonly node: string
  readonly now: number
  /** Orders issued before this time are rejected. */
  readonly notBefore: number
}

const bounds = { characters: budgets.order.message.bound, items: 200, depth: 4 }

/** Returns the order in a message. Throws one of `orderRejections` if its signature is not accepted. */
export async function readOrder(
  message: Extract<ServerMessage, { type: 'order' }>,
  { now, wanted, trust }: OrderTrust,
): Promise<Order> {
  if (!('signed' in message)) {
    if (wanted === 'require') throwIssue(orderRejections.ORDER_UNSIGNED, {})
    return readContent(() => parseOrder(parseBoundedJson(message.order, bounds)))
  }
  const { text, certificate } = readContent(() => verifyStatement(kind, message.signed))
  if (wanted !== 'off') verifySigner(certificate, await trust(), now)
  return readContent(() => parseOrder(parseBoundedJson(text, bounds)))
}

/** Checks that an order is for this node and valid now. Throws one of `orderRejections`. */
export function checkOrder({ node, issued, expires }: Order, conditions: OrderConditions): void {
  const { now, notBefore } = conditions
  if (node !== conditions.node) throwIssue(orderRejections.ORDER_OF_ANOTHER, { node })
  if (expires <= now || issued < notBefore)
    throwIssue(orderRejections.ORDER_EXPIRED, { expired: formatTime(Math.min(expires, now)) })
  // A node forgets an order some time after its lifetime; a longer lifetime would allow a replay.
  if (expires - issued > lifetime.bound || issued > now + lifetime.bound)
    throwIssue(orderRejections.ORDER_EARLY, { issued: formatTime(issued) })
}

function formatTime(time: number): string {
  return new Date(time).toISOString()
}

function readContent<Content>(read: () => Content): Content {
  try {
    return read()
  } catch (error) {
    return throwIssue(orderRejections.ORDER_BROKEN, { why: formatErrorReason(error) })
  }
}

function verifySigner(signer: Certificate, trust: ChainTrust, now: Date): void {
  const name = findCommonName(signer.subject) ?? ''
  const rejectSigner = (why: string) => throwIssue(orderRejections.ORDER_SIGNER_UNTRUSTED, { signer: name, why })
  if (!isCatalogSigner(signer)) rejectSigner('its certificate is not valid for signing')
  try {
    verifyChain(signer, trust, now)
  } catch (error) {
    rejectSigner(formatErrorReason(error))
  }
}
