import { toPrintable } from '../../../base/text/printable.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import type { Order } from '../../../model/orders/order.ts'
import type { NodeMessage, RefusalReason, ServerMessage } from '../../../model/orders/order-messages.ts'
import type { Log } from '../log.ts'
import type { OrderedRun, RunResult } from '../process/daemon.ts'
import type { ExecutedOrders } from './executed-orders.ts'

/** Dependencies of ordered runs. */
export interface OrderedRunsOptions {
  readonly executed: ExecutedOrders
  /** Returns the rules for accepting orders; they are loaded with the first order. */
  loadRules(): Promise<OrderRules>
  /** Returns the reason why no run can start now: runs are disabled, or a run is in progress. */
  findObstacle(): Promise<Obstacle | undefined>
  /** Starts a run. Returns false if the agent already runs. */
  start(run: OrderedRun): boolean
  send(message: NodeMessage): void
  readonly log: Log
}

/** The rules for accepting orders. */
export interface OrderRules {
  /** Returns the order in a message. Throws one of `orderRejections` if its signature is not accepted. */
  read(message: Extract<ServerMessage, { type: 'order' }>): Promise<Order>
  /** Checks the node and the times of an order. Throws one of `orderRejections`. */
  check(order: Order): void
}

/** The reason why a run cannot start. */
export interface Obstacle {
  readonly reason: Extract<RefusalReason, 'disabled' | 'running'>
  readonly message: string
}

/** Another run holds the lock, or is about to. */
export const runInProgress: Obstacle = {
  reason: 'running',
  message: 'Run of Puppet configuration client already in progress',
}

/** Executes orders, each at most once, and reports their progress to the server. */
export class OrderedRuns {
  readonly #options: OrderedRunsOptions
  /** Messages and results are handled one after another. */
  #last: Promise<void> = Promise.resolve()

  constructor(options: OrderedRunsOptions) {
    this.#options = options
  }

  /** Handles a message of the server. */
  receive(message: ServerMessage): void {
    const { executed } = this.#options
    this.#handle(async () => (message.type === 'ack' ? executed.acknowledge(message.id) : this.#obey(message)))
  }

  /** Resolves when all messages and results are handled; runs may continue. */
  async idle(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last
      await last
    }
  }

  #handle(work: () => Promise<void>): void {
    const { log } = this.#options
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) => log.err(`Could not execute an order: ${formatErrorReason(error)}`))
  }

  async #obey(message: Extract<ServerMessage, { type: 'order' }>): Promise<void> {
    const { executed, loadRules, findObstacle, log, send } = this.#options
    const { read, check } = await loadRules()
    let order: Order
    try {
      order = await read(message)
    } catch (error) {
      return log.err(`Rejected an order: ${formatErrorReason(error)}`)
    }
    const { id } = order
    const earlier = executed.findMessage(id)
    if (earlier !== 'unknown') {
      log.info(`Order ${id} was already received; it is not executed again`)
      if (earlier) send(earlier)
      return
    }
    try {
      check(order)
    } catch (error) {
      const why = formatErrorReason(error)
      log.err(`Refused the order ${id} of ${toPrintable(order.person)}: ${why}`)
      return send({ type: 'refused', id, reason: 'invalid', message: why })
    }
    if (!(await executed.begin(order))) {
      log.err(`Refused the order ${id} of ${toPrintable(order.person)}: too many orders`)
      return send({ type: 'refused', id, reason: 'full', message: 'Too many orders' })
    }
    const obstacle = (await findObstacle()) ?? (this.#start(order) ? undefined : runInProgress)
    if (obstacle) await this.#refuse(order, obstacle)
  }

  async #refuse({ id, person }: Order, { reason, message }: { reason: RefusalReason; message: string }): Promise<void> {
    this.#options.log.notice(`Refused the order ${id} of ${toPrintable(person)}: ${message}`)
    await this.#report({ type: 'refused', id, reason, message })
  }

  async #report(message: NodeMessage): Promise<void> {
    const { executed, send } = this.#options
    await executed.record(message)
    send(message)
  }

  #start(order: Order): boolean {
    const { id, person, noop, tags, environment } = order
    return this.#options.start({
      words: [
        ...['--detailed-exitcodes', '--job-id', id, '--waitforlock', '0'],
        ...(noop ? ['--noop'] : []),
        ...(tags.length > 0 ? ['--tags', tags.join(',')] : []),
        ...(environment === undefined ? [] : ['--environment', environment]),
      ],
      description: `Run ordered by ${toPrintable(person)} (${id})`,
      begun: () => this.#handle(() => this.#report({ type: 'started', id })),
      ended: (result) => this.#handle(() => this.#end(order, result)),
    })
  }

  async #end(order: Order, { begun, status, report, codeId }: RunResult): Promise<void> {
    const { findObstacle } = this.#options
    if (!begun) {
      const failed = { reason: 'failed', message: 'The run could not start; see the log of the agent' } as const
      return this.#refuse(order, (await findObstacle()) ?? failed)
    }
    await this.#report({
      ...{ type: 'finished', id: order.id, status: status ?? 1 },
      ...(report !== undefined && { report }),
      ...(codeId !== undefined && { code_id: codeId }),
    })
  }
}
