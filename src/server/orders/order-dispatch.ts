import { randomUUID } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { type Order, parseOrderNode, parseOrderText, parseRunInstructions } from '../../model/orders/order.ts'
import type { NodeMessage, ServerMessage } from '../../model/orders/order-messages.ts'
import type { BatchProgress } from '../../model/orders/order-state.ts'
import type { AuditRecord } from '../../store/audit/record.ts'
import type { DueOrder, OrderChange, OrderRows } from '../../store/orders/order-rows.ts'
import type { NodeConnections } from './node-connections.ts'
import type { RunOrders, RunRequest } from './run-orders.ts'

/** Errors in a request for runs. */
export const runIssues = defineIssues({
  NO_NODES: { text: (_: object) => 'No nodes match', hint: () => 'Name nodes, or give a query that returns some.' },
  TOO_MANY_NODES: { text: (a: { most: number }) => `More than ${a.most} nodes in one batch` },
  INVALID_LIMIT: { text: (_: object) => 'The number of runs at the same time must be a positive integer' },
})

/** Dependencies of the dispatch. */
export interface OrderDispatchParts {
  readonly rows: OrderRows
  /** Name of this server, unique among the servers that share the store. */
  readonly server: string
  /** True if other servers may share the store. */
  readonly shared: boolean
  readonly connections: Pick<NodeConnections, 'has' | 'send' | 'isTrusted' | 'size'>
  /** Returns the function that signs orders. */
  orderWriter(): Promise<(order: Order) => ServerMessage>
  note(record: AuditRecord): void
  log(level: 'info' | 'warn' | 'error', message: string): void
  now(): number
  /** Milliseconds after the start in which nodes may reconnect; by default the budget. */
  readonly reconnectMs?: number
}

/** Number of orders by result, for metrics. */
export type OrderCounts = Map<string, number>

const { order: bounds } = budgets
/** Milliseconds between two looks for orders of other servers, and for orders that took too long. */
const lookMs = 1000
/** Milliseconds in which messages of nodes are collected and then stored together. */
const collectMs = 50
/** Milliseconds before a failed write is tried again. */
const retryMs = 1000

/**
 * Sends the orders in the store to the nodes that are connected to this server, and stores their results. All state is
 * in the store, so that it survives this process.
 */
export class OrderDispatch implements RunOrders {
  readonly #parts: OrderDispatchParts
  readonly #timer: NodeJS.Timeout
  readonly #started: number
  /** Orders that were sent on the present connection of a node and have no result, by node. */
  readonly #expected = new Map<string, Set<string>>()
  readonly #arrived = new Set<string>()
  #changes = new Map<string, OrderChange & { readonly node: string }>()
  #recording: NodeJS.Timeout | undefined
  #turn: Promise<void> | undefined
  #again = false
  #hasOpen = true
  #isClosed = false
  /** Number of orders by result. */
  readonly counts: OrderCounts = new Map()

  constructor(parts: OrderDispatchParts) {
    this.#parts = parts
    this.#started = parts.now()
    this.#timer = setInterval(() => {
      if (this.#hasOpen || (parts.shared && parts.connections.size > 0)) this.#look()
    }, lookMs).unref()
  }

  async run(request: RunRequest): Promise<{ readonly id: string }> {
    const { rows, now, note } = this.#parts
    const nodes = [...new Set(request.nodes.map(parseOrderNode))]
    if (nodes.length === 0) throwIssue(runIssues.NO_NODES, {})
    if (nodes.length > bounds.nodes.bound) throwIssue(runIssues.TOO_MANY_NODES, { most: bounds.nodes.bound })
    const { maxAtOnce: atOnce, environment, noop, tags, commit } = request
    if (atOnce !== undefined && !(Number.isSafeInteger(atOnce) && atOnce > 0)) throwIssue(runIssues.INVALID_LIMIT, {})
    const instructions = parseRunInstructions({ environment, noop, tags, commit })
    const person = parseOrderText(request.person, 'person')
    const [id, created] = [randomUUID(), now()]
    const orders = nodes.map((node) => ({ id: randomUUID(), node }))
    await rows.add({ id, person, created, orders, ...instructions, ...(atOnce !== undefined && { atOnce }) })
    const said = { environment: environment ?? null, commit: commit ?? null }
    note({ kind: 'run', batch: id, result: 'ordered', by: person, nodes: nodes.length, ...instructions, ...said })
    this.#look()
    return { id }
  }

  progress(id: string, since = 0): Promise<BatchProgress | undefined> {
    return this.#parts.rows.read(id, since)
  }

  async stop(id: string, person: string): Promise<number | undefined> {
    const { rows, now, note } = this.#parts
    const stopped = await rows.stop(id, now())
    if (stopped !== undefined && stopped > 0)
      note({ kind: 'run', batch: id, result: 'stopped', by: person, nodes: stopped })
    return stopped
  }

  isConnected(certname: string): boolean {
    return this.#parts.connections.has(certname)
  }

  /** Sends the unfinished orders of a node that has just connected. */
  connected(node: string): void {
    this.#arrived.add(node)
    this.#expected.delete(node)
    this.#look()
  }

  /** Forgets a node that has no connection any more. */
  disconnected(node: string): void {
    this.#arrived.delete(node)
    this.#expected.delete(node)
  }

  /** Handles a message of a node. A message about an order of another node is only acknowledged. */
  receive(node: string, message: NodeMessage): void {
    const { id } = message
    if (!this.#expected.get(node)?.has(id)) return void this.#parts.connections.send(node, { type: 'ack', id })
    this.#changes.set(id, { ...toChange(message), node })
    this.#recordSoon(collectMs)
  }

  /** Stops looking for orders, and stores the messages that have arrived. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#recording)
    await this.#turn
    await this.#record()
  }

  /** Looks for orders to send, now or after the present look. */
  #look(): void {
    this.#again = true
    if (this.#isClosed) return
    this.#turn ??= this.#lookRepeatedly().finally(() => {
      this.#turn = undefined
    })
  }

  async #lookRepeatedly(): Promise<void> {
    while (this.#again && !this.#isClosed) {
      this.#again = false
      try {
        await this.#greetNodes()
        await this.#sendDueOrders()
      } catch (error) {
        this.#parts.log('error', `Could not read the orders in the store: ${formatError(error)}`)
        return
      }
    }
  }

  async #greetNodes(): Promise<void> {
    const { rows, server, now } = this.#parts
    const nodes = [...this.#arrived]
    if (nodes.length === 0 || !(this.#hasOpen || this.#parts.shared)) return this.#arrived.clear()
    const orders = await rows.attach(server, nodes, now())
    for (const node of nodes) this.#arrived.delete(node)
    await this.#send(orders)
  }

  async #sendDueOrders(): Promise<void> {
    const { rows, server, connections, now, shared } = this.#parts
    const { unheld, waiting, sent } = await rows.open()
    this.#hasOpen = waiting + sent > 0
    if (!this.#hasOpen) return
    const held = unheld.flatMap(({ id, node }) => (connections.has(node) ? [id] : []))
    const time = now()
    const isStarting = time - this.#started < (this.#parts.reconnectMs ?? bounds.reconnect.bound)
    const unheldSince = isStarting ? 0 : time - (shared ? bounds.elsewhere.bound : 0)
    const due = await rows.claim({ server, now: time, held, unheldSince })
    const unsent = await this.#send(due)
    if (unsent.length > 0) await rows.release(unsent, now())
  }

  /** Sends orders. Returns the IDs of those whose nodes are not connected. */
  async #send(orders: readonly DueOrder[]): Promise<readonly string[]> {
    if (orders.length === 0) return []
    const { connections, orderWriter } = this.#parts
    const write = await orderWriter()
    const unsent: string[] = []
    for (const { batch: _, ...order } of orders) {
      const { id, node, issued } = order
      if (this.#expected.get(node)?.has(id)) continue
      if (await connections.isTrusted(node)) {
        const message = write({ ...order, kind: 'run', expires: issued + bounds.lifetime.bound })
        if (connections.send(node, message)) {
          const ids = this.#expected.get(node) ?? new Set()
          this.#expected.set(node, ids.add(id))
          continue
        }
      }
      unsent.push(id)
    }
    return unsent
  }

  #recordSoon(ms: number): void {
    this.#recording ??= setTimeout(() => void this.#record(), ms).unref()
  }

  async #record(): Promise<void> {
    const { rows, now, log } = this.#parts
    this.#recording = undefined
    const changes = this.#changes
    if (changes.size === 0) return
    this.#changes = new Map()
    try {
      await rows.record(
        [...changes.values()].map(({ node: _, ...change }) => change),
        now(),
      )
    } catch (error) {
      log('error', `Could not store the results of orders: ${formatError(error)}`)
      this.#changes = new Map([...changes, ...this.#changes])
      if (!this.#isClosed) this.#recordSoon(retryMs)
      return
    }
    for (const change of changes.values()) this.#acknowledge(change)
    this.#look()
  }

  #acknowledge({ id, node, state, reason }: OrderChange & { readonly node: string }): void {
    this.#parts.connections.send(node, { type: 'ack', id })
    if (state === 'started') return
    const ids = this.#expected.get(node)
    ids?.delete(id)
    if (ids?.size === 0) this.#expected.delete(node)
    const kind = state === 'refused' ? `refused: ${reason}` : state
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }
}

function toChange(message: NodeMessage): OrderChange {
  const { type, ...rest } = message
  return { ...rest, state: type }
}
