import { dirname } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../../base/json/bounded-json.ts'
import { checkJsonArray, checkJsonNumber, checkJsonObject } from '../../../base/json/json-checks.ts'
import type { Files } from '../../../machine/system/system.ts'
import { type Order, parseOrderId } from '../../../model/orders/order.ts'
import { type NodeMessage, parseNodeMessage } from '../../../model/orders/order-messages.ts'

/** An order that this node has accepted or refused. */
interface ExecutedOrder {
  readonly id: string
  /** Time in milliseconds since 1970. */
  readonly expires: number
  /** The last message about the order; absent before the run has started. */
  readonly message?: NodeMessage | undefined
  /** True if a server has stored the result. */
  readonly isAcknowledged: boolean
}

/** Options of the file of executed orders. */
export interface ExecutedOrdersOptions {
  readonly files: Files
  /** Path of the file. */
  readonly path: string
  now(): number
  warn(message: string): void
}

const { executed: most, lifetime } = budgets.order
const bounds = { characters: 4 * 1024 * 1024, items: most.bound * 20, depth: 5 }

/** The orders that this node knows, in a file, so that none is executed twice, also after a crash. */
export class ExecutedOrders {
  readonly #options: ExecutedOrdersOptions
  readonly #orders: Map<string, ExecutedOrder>
  /** Orders issued before this time are refused; set if the file could not be read. */
  readonly notBefore: number

  private constructor(options: ExecutedOrdersOptions, orders: readonly ExecutedOrder[], notBefore: number) {
    this.#options = options
    this.#orders = new Map(orders.map((order) => [order.id, order]))
    this.notBefore = notBefore
  }

  /**
   * Opens the file. An order whose run had not ended when the agent was killed has the result 1. If the file is
   * damaged, earlier orders are refused.
   */
  static async open(options: ExecutedOrdersOptions): Promise<ExecutedOrders> {
    const { files, path, now, warn } = options
    const text = await files.readText(path)
    if (text === undefined) return new ExecutedOrders(options, [], 0)
    try {
      return new ExecutedOrders(options, parseOrders(text), 0)
    } catch (error) {
      warn(`Ignoring earlier orders, because ${path} is damaged: ${(error as Error).message}`)
      return new ExecutedOrders(options, [], now())
    }
  }

  /** The last message about an order: `unknown` for a new order, undefined if its run has not started. */
  findMessage(id: string): NodeMessage | 'unknown' | undefined {
    const found = this.#orders.get(id)
    return found ? found.message : 'unknown'
  }

  /** Records an order before its execution. Returns false if too many orders are recorded. */
  async begin({ id, expires }: Order): Promise<boolean> {
    this.#removeOld()
    if (this.#orders.size >= most.bound) return false
    this.#orders.set(id, { id, expires, isAcknowledged: false })
    await this.#save()
    return true
  }

  /** Records a message about an order. */
  async record(message: NodeMessage): Promise<void> {
    const order = this.#orders.get(message.id)
    if (!order) return
    this.#orders.set(order.id, { ...order, message, isAcknowledged: false })
    await this.#save()
  }

  /** Records that a server has stored the last message about an order. Written with the next change. */
  acknowledge(id: string): void {
    const order = this.#orders.get(id)
    if (order?.message && order.message.type !== 'started') this.#orders.set(id, { ...order, isAcknowledged: true })
  }

  /** Removes orders that have expired and whose result is stored; the oldest results if there are too many. */
  #removeOld(): void {
    const { now } = this.#options
    const isExpired = ({ expires }: ExecutedOrder) => expires + lifetime.bound < now()
    for (const [id, order] of this.#orders) if (order.isAcknowledged && isExpired(order)) this.#orders.delete(id)
    for (const [id, order] of this.#orders) {
      if (this.#orders.size < most.bound) break
      if (isExpired(order) && order.message && order.message.type !== 'started') this.#orders.delete(id)
    }
  }

  async #save(): Promise<void> {
    const { files, path } = this.#options
    const orders = [...this.#orders.values()].map(({ isAcknowledged, ...order }) => ({
      ...order,
      ...(isAcknowledged && { acknowledged: true }),
    }))
    await files.makeDirectory(dirname(path), 0o750)
    await files.write(path, `${JSON.stringify({ orders })}\n`, 0o600)
  }
}

function parseOrders(text: string): readonly ExecutedOrder[] {
  const { orders } = checkJsonObject(parseBoundedJson(text, bounds), 'the file')
  return checkJsonArray(orders, 'orders').map((each) => {
    const { id, expires, message, acknowledged } = checkJsonObject(each, 'an order')
    const known = { id: parseOrderId(id), expires: checkJsonNumber(expires, 'expires') }
    const last = message === undefined ? undefined : parseNodeMessage(JSON.stringify(message))
    const isOver = last !== undefined && last.type !== 'started'
    return {
      ...known,
      message: isOver ? last : { type: 'finished', id: known.id, status: 1 },
      isAcknowledged: acknowledged === true,
    }
  })
}
