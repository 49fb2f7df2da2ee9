import type { WebSocket } from 'ws'
import { budgets } from '../../../base/budgets/budgets.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import {
  closeCodes,
  type NodeMessage,
  parseReconnectDelay,
  parseServerMessage,
  type ServerMessage,
} from '../../../model/orders/order-messages.ts'
import type { Log } from '../log.ts'
import { pause } from '../process/pause.ts'
import { NoOrdersError, type OrderSocket } from './order-socket.ts'

/** The server and the receiver of messages. */
export interface OrderConnectionOptions {
  /** Opens a connection to the server. */
  open(signal: AbortSignal): Promise<OrderSocket>
  /** Handles a message of the server. */
  receive(message: ServerMessage): void
  readonly log: Log
  /** Aborted when the agent ends. */
  readonly stop: AbortSignal
}

/** Seconds before the first connection, so that agents that start together do not connect together. */
const firstDelay = 2
/** First and longest pause in seconds after a failed connection; each pause is twice the previous one. */
const pauses = { first: 2, longest: 300 }
/** Largest pause in seconds after a connection was lost. */
const lostPause = 10
/** Pause in seconds if the server has no orders for this node, or another agent uses the certificate. */
const unwantedPause = 600

/** Returns a random time between half of the seconds and all of them. */
export function addJitter(seconds: number, random: () => number = Math.random): number {
  return seconds / 2 + (random() * seconds) / 2
}

/** Keeps a connection to the server, and opens another one when it is lost. */
export class OrderConnection {
  readonly #options: OrderConnectionOptions
  #socket: WebSocket | undefined
  #trouble: string | undefined

  constructor(options: OrderConnectionOptions) {
    this.#options = options
  }

  /** Sends a message; does nothing without a connection. The server asks again after it was lost. */
  send(message: NodeMessage): void {
    if (this.#socket?.readyState === this.#socket?.OPEN) this.#socket?.send(JSON.stringify(message))
  }

  /** Connects until the agent ends. */
  async run(): Promise<void> {
    const { stop } = this.#options
    let delay = Math.random() * firstDelay
    let failures = 0
    while (!(await pause(delay, stop))) {
      try {
        const opened = await this.#options.open(stop)
        failures = 0
        delay = await this.#serve(opened)
      } catch (error) {
        if (stop.aborted) return
        this.#explain(`Could not connect for orders: ${formatErrorReason(error)}`)
        delay =
          error instanceof NoOrdersError
            ? addJitter(unwantedPause)
            : addJitter(Math.min(pauses.longest, pauses.first * 2 ** failures++))
      }
    }
  }

  /** Receives messages until the connection ends. Returns the seconds before the next connection. */
  #serve({ socket, server }: OrderSocket): Promise<number> {
    const { log, receive, stop } = this.#options
    this.#socket = socket
    this.#trouble = undefined
    log.info(`Waiting for orders of ${server}`)
    const endSocket = () => socket.close(1000)
    stop.addEventListener('abort', endSocket)
    const heartbeat = new Heartbeat(() => socket.terminate())
    return new Promise((done) => {
      socket.on('error', (error) => log.debug(`The connection for orders failed: ${error.message}`))
      socket.on('ping', () => heartbeat.renew())
      socket.on('message', (data, isBinary) => {
        heartbeat.renew()
        try {
          const message = isBinary ? undefined : parseServerMessage(String(data))
          if (message) receive(message)
        } catch (error) {
          log.warning(`Ignoring an invalid message of ${server}: ${formatErrorReason(error)}`)
        }
      })
      socket.once('close', (code, reason) => {
        heartbeat.end()
        stop.removeEventListener('abort', endSocket)
        this.#socket = undefined
        const delay = chooseDelay(code, String(reason))
        const next = stop.aborted ? '' : `; connecting again in ${Math.ceil(delay)} s`
        log.info(`The connection for orders of ${server} ended (${code})${next}`)
        done(delay)
      })
      socket.resume()
    })
  }

  /** Logs a failure; at the level debug if the last one was the same. */
  #explain(message: string): void {
    const { log } = this.#options
    if (message === this.#trouble) log.debug(message)
    else log.info(message)
    this.#trouble = message
  }
}

function chooseDelay(code: number, reason: string): number {
  if (code === closeCodes.restart) return parseReconnectDelay(reason) ?? addJitter(lostPause)
  const isUnwanted = code === closeCodes.replaced || code === closeCodes.revoked || code === closeCodes.policy
  return addJitter(isUnwanted ? unwantedPause : lostPause)
}

/** Ends a connection on which the server has been silent for more than two heartbeats. */
class Heartbeat {
  readonly #timer: NodeJS.Timeout

  constructor(end: () => void) {
    this.#timer = setTimeout(end, budgets.order.heartbeat.bound * 2.5)
  }

  renew(): void {
    this.#timer.refresh()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
