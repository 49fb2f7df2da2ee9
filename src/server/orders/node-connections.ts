import type { WebSocket } from 'ws'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import {
  closeCodes,
  formatReconnectDelay,
  type NodeMessage,
  parseNodeMessage,
  type ServerMessage,
} from '../../model/orders/order-messages.ts'

/** A WebSocket, as far as connections of nodes need it. */
export type NodeSocket = Pick<
  WebSocket,
  'on' | 'once' | 'send' | 'ping' | 'close' | 'terminate' | 'bufferedAmount' | 'readyState' | 'OPEN'
>

/** Callbacks and limits of the connections. */
export interface NodeConnectionsOptions {
  /** Called for each message of a node. */
  onMessage(node: string, message: NodeMessage): void
  /** Called after a node has connected. */
  onOpen(node: string): void
  /** Called after the last connection of a node has closed. */
  onClose(node: string): void
  warn(message: string): void
  /** Seconds between two heartbeats of a connection; by default the budget. */
  readonly heartbeatSeconds?: number
}

interface Connection {
  readonly node: string
  readonly socket: NodeSocket
  /** Returns true if the certificate of the node is still valid. */
  readonly isTrusted: () => Promise<boolean>
  isAlive: boolean
  /** Messages since the last heartbeat. */
  messages: number
  beats: number
}

const { heartbeat, messages: messageRate, unsent } = budgets.order
/** The certificate of a connection is checked again at each heartbeat with this number. */
const beatsPerCheck = 10
/** Connections per second that may return after the server ends. */
const returnsPerSecond = 100
const returnSeconds = { least: 5, most: 300 }
/** Milliseconds in which nodes confirm the close of their connections. */
const goodbyeMs = 1000

/** The connections on which nodes wait for orders: at most one for each node. */
export class NodeConnections {
  readonly #options: NodeConnectionsOptions
  readonly #byNode = new Map<string, Connection>()
  /** Connections by the second of their heartbeat, so that heartbeats are spread evenly. */
  readonly #wheel: readonly Set<Connection>[]
  readonly #timer: NodeJS.Timeout
  readonly #messagesPerBeat: number
  #second = 0
  #isClosing = false

  constructor(options: NodeConnectionsOptions) {
    this.#options = options
    const seconds = options.heartbeatSeconds ?? heartbeat.bound / 1000
    this.#messagesPerBeat = Math.ceil((messageRate.bound * Math.max(seconds, 10)) / 60)
    this.#wheel = Array.from({ length: seconds }, () => new Set())
    this.#timer = setInterval(() => this.#beat(), 1000).unref()
  }

  get size(): number {
    return this.#byNode.size
  }

  /** True if the node is connected to this server. */
  has(node: string): boolean {
    return this.#byNode.has(node)
  }

  /** Adds a connection, which replaces an older connection of the node. */
  add(node: string, socket: NodeSocket, isTrusted: () => Promise<boolean>): void {
    if (this.#isClosing) {
      socket.close(closeCodes.restart, formatReconnectDelay(returnSeconds.least))
      return
    }
    const older = this.#byNode.get(node)
    const connection: Connection = { node, socket, isTrusted, isAlive: true, messages: 0, beats: 0 }
    const beats = this.#wheel[Math.floor(Math.random() * this.#wheel.length)]!
    beats.add(connection)
    this.#byNode.set(node, connection)
    if (older) this.#end(older, closeCodes.replaced, 'replaced by a newer connection')
    socket.on('error', () => socket.terminate())
    socket.once('close', () => {
      beats.delete(connection)
      if (this.#byNode.get(node) !== connection) return
      this.#byNode.delete(node)
      this.#options.onClose(node)
    })
    socket.on('pong', () => (connection.isAlive = true))
    socket.on('message', (data, isBinary) => this.#receive(connection, isBinary ? undefined : String(data)))
    this.#options.onOpen(node)
  }

  /** Sends a message. Returns false if the node is not connected. */
  send(node: string, message: ServerMessage): boolean {
    const connection = this.#byNode.get(node)
    if (!connection || connection.socket.readyState !== connection.socket.OPEN) return false
    if (connection.socket.bufferedAmount > unsent.bound) {
      connection.socket.terminate()
      return false
    }
    connection.socket.send(JSON.stringify(message))
    return true
  }

  /** Returns true if the node is connected and its certificate is valid. Closes the connection if it is not. */
  async isTrusted(node: string): Promise<boolean> {
    const connection = this.#byNode.get(node)
    return connection !== undefined && this.#check(connection)
  }

  /** Closes all connections. Each node is told to reconnect after a random time, so that they do not return at once. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    const all = [...this.#byNode.values()]
    const spread = Math.min(returnSeconds.most, Math.max(returnSeconds.least, all.length / returnsPerSecond))
    const closed = all.map(({ socket }) => new Promise((done) => socket.once('close', done)))
    for (const connection of all)
      this.#end(connection, closeCodes.restart, formatReconnectDelay(1 + Math.floor(Math.random() * spread)))
    let late: NodeJS.Timeout | undefined
    await Promise.race([Promise.all(closed), new Promise((done) => (late = setTimeout(done, goodbyeMs)))])
    clearTimeout(late)
    for (const { socket } of all) socket.terminate()
  }

  #beat(): void {
    this.#second = (this.#second + 1) % this.#wheel.length
    for (const connection of this.#wheel[this.#second]!) {
      if (!connection.isAlive) {
        connection.socket.terminate()
        continue
      }
      connection.isAlive = false
      connection.messages = 0
      connection.socket.ping()
      if (++connection.beats % beatsPerCheck === 0) void this.#check(connection)
    }
  }

  async #check(connection: Connection): Promise<boolean> {
    if (await connection.isTrusted().catch(() => false)) return true
    this.#options.warn(`Closed the connection of ${connection.node} for orders: its certificate is no longer valid`)
    this.#end(connection, closeCodes.revoked, 'the certificate is no longer valid')
    return false
  }

  #receive(connection: Connection, text: string | undefined): void {
    connection.isAlive = true
    const { node } = connection
    const message = ++connection.messages > this.#messagesPerBeat ? 'too many messages' : readMessage(text)
    if (typeof message === 'string') this.#reject(connection, message)
    else if (this.#byNode.get(node) === connection) this.#options.onMessage(node, message)
  }

  #reject(connection: Connection, why: string): void {
    this.#options.warn(`Closed the connection of ${connection.node} for orders: ${why}`)
    this.#end(connection, closeCodes.policy, 'invalid or too many messages')
    // No message that follows is read.
    connection.socket.terminate()
  }

  #end({ socket }: Connection, code: number, reason: string): void {
    socket.close(code, reason)
  }
}

/** Parses a message; for an invalid message, returns the reason. */
function readMessage(text: string | undefined): NodeMessage | string {
  if (text === undefined) return 'invalid message: it is not text'
  try {
    return parseNodeMessage(text)
  } catch (error) {
    return `invalid message: ${formatErrorReason(error)}`
  }
}
