import { EventEmitter } from 'node:events'
import type { NodeMessage, ServerMessage } from '../../../src/model/orders/order-messages.ts'
import type { NodeSocket } from '../../../src/server/orders/node-connections.ts'

/** The server's end of a WebSocket, without a network: it collects what the server sends. */
export class TestSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  pings = 0
  closed: { readonly code: number; readonly reason: string } | undefined
  readonly received: ServerMessage[] = []

  /** Itself, as the server uses it. */
  get end(): NodeSocket {
    return this as unknown as NodeSocket
  }

  send(text: string): void {
    this.received.push(JSON.parse(text) as ServerMessage)
  }

  ping(): void {
    this.pings++
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason }
    this.terminate()
  }

  terminate(): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.emit('close')
  }

  /** A message of the node arrives. */
  say(message: NodeMessage | string): void {
    this.emit('message', typeof message === 'string' ? message : JSON.stringify(message), false)
  }

  /** The orders that it has received, unsigned. */
  get orders(): readonly Record<string, unknown>[] {
    return this.received.flatMap((each) => ('order' in each ? [JSON.parse(each.order) as Record<string, unknown>] : []))
  }
}
