import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { budgets } from '../../base/budgets/budgets.ts'
import { toNetwork } from '../http/client-account.ts'

/** Limits on the number of connections and on the handshake time. */
export interface ConnectionBounds {
  readonly total: number
  readonly perAddress: number
  /** Limit from the first packet to the end of the handshake, in milliseconds. */
  readonly handshakeMs: number
}

/**
 * Connection limits from the settings, capped by the file descriptors available to the process. The
 * getters read the settings on each access.
 */
export function createConnectionBounds(
  settings: { readonly max_connections: number; readonly max_connections_per_address: number },
  descriptors = Number.POSITIVE_INFINITY,
): ConnectionBounds {
  const { descriptors: kept, handshake } = budgets.connection
  const possible = Math.floor(Math.max(descriptors - kept.bound, descriptors / 2))
  return {
    get total() {
      return Math.max(2, Math.min(settings.max_connections, possible))
    },
    get perAddress() {
      return Math.max(1, Math.min(settings.max_connections_per_address, Math.floor(this.total / 2)))
    },
    handshakeMs: handshake.bound,
  }
}

/**
 * Connection ranks in eviction order. Within a rank, the connection that is idle for longest is evicted first, so
 * idle connections of unauthenticated clients are evicted before a pending handshake. The last rank is never evicted.
 */
const ranks = ['stranger', 'idle acquaintance', 'asking acquaintance'] as const
type Rank = (typeof ranks)[number]
const keptRank: Rank = 'asking acquaintance'

interface Connection {
  readonly socket: Socket
  readonly address: string
  rank: Rank
  isKnown: boolean
  /** DER subject of the client certificate. */
  owner: string | undefined
  requests: number
}

/**
 * Maximum number of idle connections of a certificate owner with the rank of an idle acquaintance. The owner's
 * further idle connections rank as strangers.
 */
const idleOfOne = budgets.connection.idleOfOne.bound

/** Connections by rank, in each rank ordered by the time of the last change, oldest first. */
class Queue {
  readonly #byRank = new Map<Rank, Set<Connection>>(ranks.map((rank) => [rank, new Set()]))
  size = 0

  add(connection: Connection): void {
    this.#byRank.get(connection.rank)!.add(connection)
    this.size++
  }

  remove(connection: Connection): void {
    if (this.#byRank.get(connection.rank)!.delete(connection)) this.size--
  }

  /** The connection to evict first; `undefined` if all connections are in the protected rank. */
  least(): Connection | undefined {
    for (const [rank, connections] of this.#byRank)
      if (rank !== keptRank) for (const connection of connections) return connection
    return undefined
  }
}

/**
 * Limits the open connections of a server in total and per address. A new connection evicts an
 * existing one of lower rank, so that a client that floods idle connections evicts its own and an
 * honest client gets through. A connection that does not finish its handshake in time is cut.
 */
export class Connections {
  readonly #bounds: ConnectionBounds
  readonly #crowded: (address: string) => void
  readonly #all = new Queue()
  readonly #byAddress = new Map<string, Queue>()
  readonly #bySocket = new WeakMap<object, Connection>()
  /** Number of connections with the rank of an idle acquaintance, by owner. */
  readonly #idleOf = new Map<string, number>()
  /**
   * Connections in their handshake, by their two endpoints: the TLS socket and the TCP socket below
   * it are different objects.
   */
  readonly #arriving = new Map<string, Connection>()

  /** `crowded` is called with the address of each evicted or rejected connection. */
  constructor(
    server: Server,
    bounds: ConnectionBounds,
    ownerOf: (socket: Socket) => string | undefined,
    crowded: (address: string) => void,
  ) {
    this.#bounds = bounds
    this.#crowded = crowded
    server.prependListener('connection', (socket: Socket) => this.#arrive(socket))
    server.on('secureConnection', (socket: TLSSocket) => this.#secured(socket, ownerOf(socket)))
  }

  get size(): number {
    return this.#all.size
  }

  /** Records the start of a request. Returns the number of active requests on its connection. */
  begin(socket: Socket): number {
    const connection = this.#bySocket.get(socket)
    if (!connection) return 0
    connection.requests++
    this.#place(connection)
    return connection.requests
  }

  /** Records the end of a request. */
  end(socket: Socket): void {
    const connection = this.#bySocket.get(socket)
    if (!connection) return
    connection.requests--
    this.#place(connection)
  }

  /** Records whether the client of a request is authenticated. */
  know(socket: Socket, isKnown: boolean): void {
    const connection = this.#bySocket.get(socket)
    if (!connection || connection.isKnown === isKnown) return
    connection.isKnown = isKnown
    this.#place(connection)
  }

  #arrive(socket: Socket): void {
    const address = toNetwork(socket.remoteAddress)
    if (!this.#makeRoom(address)) {
      this.#crowded(address)
      socket.destroy()
      return
    }
    const connection: Connection = { socket, address, rank: 'stranger', isKnown: false, owner: undefined, requests: 0 }
    this.#bySocket.set(socket, connection)
    const queue = this.#byAddress.get(address) ?? new Queue()
    this.#byAddress.set(address, queue)
    queue.add(connection)
    this.#all.add(connection)
    socket.once('readable', () => this.#place(connection))
    const ends = formatSocketEnds(socket)
    this.#arriving.set(ends, connection)
    const late = setTimeout(() => {
      if (this.#arriving.get(ends) === connection) socket.destroy()
    }, this.#bounds.handshakeMs)
    socket.once('close', () => {
      clearTimeout(late)
      if (this.#arriving.get(ends) === connection) this.#arriving.delete(ends)
      this.#forget(connection)
    })
  }

  #secured(socket: TLSSocket, owner: string | undefined): void {
    const ends = formatSocketEnds(socket)
    const connection = this.#arriving.get(ends)
    if (!connection) return
    this.#arriving.delete(ends)
    this.#bySocket.set(socket, connection)
    connection.isKnown = owner !== undefined
    connection.owner = owner
    this.#place(connection)
  }

  /**
   * Returns true if there is room for another connection, evicting one of lower rank if necessary.
   */
  #makeRoom(address: string): boolean {
    const neighbours = this.#byAddress.get(address)
    if (neighbours && neighbours.size >= this.#bounds.perAddress) return this.#giveUp(neighbours.least())
    return this.#all.size < this.#bounds.total || this.#giveUp(this.#all.least())
  }

  #giveUp(connection: Connection | undefined): boolean {
    if (!connection) return false
    this.#crowded(connection.address)
    this.#forget(connection)
    connection.socket.destroy()
    return true
  }

  #forget(connection: Connection): void {
    const queue = this.#byAddress.get(connection.address)
    const size = this.#all.size
    this.#all.remove(connection)
    if (this.#all.size < size) this.#countIdle(connection, -1)
    queue?.remove(connection)
    if (queue?.size === 0) this.#byAddress.delete(connection.address)
  }

  #place(connection: Connection): void {
    const queue = this.#byAddress.get(connection.address)
    const size = this.#all.size
    this.#all.remove(connection)
    if (this.#all.size === size) return // evicted in the meantime
    queue?.remove(connection)
    this.#countIdle(connection, -1)
    connection.rank = this.#getRank(connection)
    this.#countIdle(connection, 1)
    this.#all.add(connection)
    queue?.add(connection)
  }

  #getRank({ isKnown, owner, requests }: Connection): Rank {
    if (!isKnown) return 'stranger'
    if (requests > 0) return 'asking acquaintance'
    return (this.#idleOf.get(owner ?? '') ?? 0) < idleOfOne ? 'idle acquaintance' : 'stranger'
  }

  /**
   * Adjusts the owner's count of idle connections when a connection enters or leaves the rank of an
   * idle acquaintance.
   */
  #countIdle({ rank, owner }: Connection, by: 1 | -1): void {
    if (rank !== 'idle acquaintance' || owner === undefined) return
    const idle = (this.#idleOf.get(owner) ?? 0) + by
    if (idle > 0) this.#idleOf.set(owner, idle)
    else this.#idleOf.delete(owner)
  }
}

function formatSocketEnds({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}
