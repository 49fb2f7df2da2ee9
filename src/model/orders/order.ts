import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import {
  checkJsonArray,
  checkJsonObject,
  checkJsonString,
  checkOptionalString,
  wireIssues,
} from '../../base/json/json-checks.ts'
import { isCertname } from '../../machine/settings/certname.ts'
import { isTag } from '../tag.ts'

/** The instructions of an order to run the agent. */
export interface RunInstructions {
  /** Environment for the run; undefined for the node's own environment. */
  readonly environment?: string | undefined
  /** True for a run without changes. False leaves the node's own setting `noop` in effect. */
  readonly noop: boolean
  /** Tags of the resources to apply; all resources if empty. */
  readonly tags: readonly string[]
  /**
   * The commit that the person expects. The node does not enforce it, because the server decides which commit the node
   * receives; the result contains the commit of the applied catalog.
   */
  readonly commit?: string | undefined
}

/** An order to one node. A node executes it at most once, between `issued` and `expires`. */
export interface Order extends RunInstructions {
  /** UUID of the order; also the job ID of the run. */
  readonly id: string
  readonly kind: 'run'
  /** Certname of the node. */
  readonly node: string
  /** The person or program that requested the run. */
  readonly person: string
  /** Time of the signature, in milliseconds since 1970. */
  readonly issued: number
  readonly expires: number
}

/** Errors in the contents of an order. */
export const orderIssues = defineIssues({
  ORDER_MALFORMED: {
    text: (a: { what: string; why: string }) => `Invalid ${a.what} in an order: ${a.why}`,
  },
})

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const environmentName = /^\w+$/
const printable = /^[\x20-\x7e]*$/

/** True for the form of an order's ID. */
export function isOrderId(text: string): boolean {
  return uuid.test(text)
}

/** Parses an order from an untrusted source. Throws ORDER_MALFORMED, WIRE_SHAPE. */
export function parseOrder(value: unknown): Order {
  const { id, kind, node, person, issued, expires, ...instructions } = checkJsonObject(value, 'order')
  if (kind !== 'run') throwIssue(orderIssues.ORDER_MALFORMED, { what: 'kind', why: 'it is not run' })
  return {
    id: parseOrderId(id),
    kind: 'run',
    node: parseOrderNode(node),
    person: parseOrderText(person, 'person'),
    issued: parseOrderTime(issued, 'issued'),
    expires: parseOrderTime(expires, 'expires'),
    ...parseRunInstructions(instructions),
  }
}

/** Parses the instructions of a run from an untrusted source. Throws ORDER_MALFORMED, WIRE_SHAPE. */
export function parseRunInstructions(value: Readonly<Record<string, unknown>>): RunInstructions {
  const { environment, noop = false, tags = [], commit } = value
  const names = checkJsonArray(tags, 'tags').map((each) => parseOrderText(each, 'tags').toLowerCase())
  const most = budgets.order.tags.bound
  if (names.length > most) throwIssue(orderIssues.ORDER_MALFORMED, { what: 'tags', why: `more than ${most}` })
  for (const name of names)
    if (!isTag(name)) throwIssue(orderIssues.ORDER_MALFORMED, { what: 'tags', why: `'${name}' is not a tag` })
  if (typeof noop !== 'boolean') throwIssue(wireIssues.WIRE_SHAPE, { what: 'noop', expected: 'a boolean' })
  const place = parseOptionalText(environment, 'environment')
  if (place !== undefined && !environmentName.test(place))
    throwIssue(orderIssues.ORDER_MALFORMED, { what: 'environment', why: `'${place}' is not an environment` })
  const wanted = parseOptionalText(commit, 'commit')
  if (wanted !== undefined && !printable.test(wanted))
    throwIssue(orderIssues.ORDER_MALFORMED, { what: 'commit', why: 'it contains control characters' })
  return {
    ...(place !== undefined && { environment: place }),
    noop,
    tags: names,
    ...(wanted !== undefined && { commit: wanted }),
  }
}

/** Checks the ID of an order. Throws ORDER_MALFORMED, WIRE_SHAPE. */
export function parseOrderId(value: unknown): string {
  const id = checkJsonString(value, 'id')
  return isOrderId(id) ? id : throwIssue(orderIssues.ORDER_MALFORMED, { what: 'id', why: 'it is not a UUID' })
}

/** Checks the certname of a node. Throws ORDER_MALFORMED, WIRE_SHAPE. */
export function parseOrderNode(value: unknown): string {
  const node = checkJsonString(value, 'node')
  const why = `'${node.slice(0, 100)}' is not a certname`
  return isCertname(node) ? node : throwIssue(orderIssues.ORDER_MALFORMED, { what: 'node', why })
}

/** Checks the length of a text. Throws ORDER_MALFORMED, WIRE_SHAPE. */
export function parseOrderText(value: unknown, what: string): string {
  const text = checkJsonString(value, what)
  const { bound } = budgets.order.text
  return text.length <= bound
    ? text
    : throwIssue(orderIssues.ORDER_MALFORMED, { what, why: `it is longer than ${bound} characters` })
}

function parseOptionalText(value: unknown, what: string): string | undefined {
  const text = checkOptionalString(value, what)
  return text === undefined ? undefined : parseOrderText(text, what)
}

function parseOrderTime(value: unknown, what: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : throwIssue(wireIssues.WIRE_SHAPE, { what, expected: 'a time in milliseconds' })
}
