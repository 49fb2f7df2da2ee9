import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { budgets } from '../../base/budgets/budgets.ts'
import { networkOf } from '../http/account.ts'

/** Bounds on the number of connections, and on the time in which a connection proves itself. */
export interface ConnectionBounds {
  readonly total: number
  readonly perAddress: number
  /** From the first packet to the end of the handshake. */
  readonly handshakeMs: number
}

/** The bounds that these settings mean at the moment of reading, where the process may have so many descriptors. */
export function connectionBounds(
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
 * Which connections are given up first, when there are too many; of equals the one in which nothing has happened for the
 * longest time. So a stranger's handshake outlives the connections that other strangers hold idle. Those in the last rank
 * are kept.
 */
const ranks = ['stranger', 'idle acquaintance', 'asking acquaintance'] as const
type Rank = (typeof ranks)[number]
const keptRank: Rank = 'asking acquaintance'

interface Connection {
  readonly socket: Socket
  readonly address: string
  rank: Rank
  isKnown: boolean
  /** The owner of the certificate that the client showed. */
  owner: string | undefined
  requests: number
}

/** Idle connections of one owner that count as an acquaintance's; further ones count as a stranger's. */
const idleOfOne = budgets.connection.idleOfOne.bound

/** Connections by rank; in each the one that has not changed for the longest time is the first. */
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

  /** The connection to give up first; `undefined` where only kept ones are left. */
  least(): Connection | undefined {
    for (const [rank, connections] of this.#byRank)
      if (rank !== keptRank) for (const connection of connections) return connection
    return undefined
  }
}

/**
 * The connections of a server that listens, bounded in all and for each address. A new one is always let in while there is
 * one that has proven less: so whoever fills the house with idle connections pushes out his own, and an honest client gets
 * through. A connection that does not end its handshake in time is cut.
 */
export class Connections {
  readonly #bounds: ConnectionBounds
  readonly #crowded: (address: string) => void
  readonly #all = new Queue()
  readonly #byAddress = new Map<string, Queue>()
  readonly #bySocket = new WeakMap<object, Connection>()
  /** The number of each owner's connections with the rank of an idle acquaintance. */
  readonly #idleOf = new Map<string, number>()
  /** Connections in their handshake, by their two ends: a TLS socket is another than the socket below it. */
  readonly #arriving = new Map<string, Connection>()

  /** `crowded` is told of each connection that was given up. */
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

  /** A request has begun. How many of its connection are under way now. */
  begin(socket: Socket): number {
    const connection = this.#bySocket.get(socket)
    if (!connection) return 0
    connection.requests++
    this.#place(connection)
    return connection.requests
  }

  /** A request has ended. */
  end(socket: Socket): void {
    const connection = this.#bySocket.get(socket)
    if (!connection) return
    connection.requests--
    this.#place(connection)
  }

  /** Records the presence of a name for the client of a request. */
  know(socket: Socket, isKnown: boolean): void {
    const connection = this.#bySocket.get(socket)
    if (!connection || connection.isKnown === isKnown) return
    connection.isKnown = isKnown
    this.#place(connection)
  }

  #arrive(socket: Socket): void {
    const address = networkOf(socket.remoteAddress)
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
    const ends = endsOf(socket)
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
    const ends = endsOf(socket)
    const connection = this.#arriving.get(ends)
    if (!connection) return
    this.#arriving.delete(ends)
    this.#bySocket.set(socket, connection)
    connection.isKnown = owner !== undefined
    connection.owner = owner
    this.#place(connection)
  }

  /** True when a further connection finds room, if need be after a connection that has proven less was given up. */
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
    if (this.#all.size === size) return // given up meanwhile
    queue?.remove(connection)
    this.#countIdle(connection, -1)
    connection.rank = this.#rankOf(connection)
    this.#countIdle(connection, 1)
    this.#all.add(connection)
    queue?.add(connection)
  }

  #rankOf({ isKnown, owner, requests }: Connection): Rank {
    if (!isKnown) return 'stranger'
    if (requests > 0) return 'asking acquaintance'
    return (this.#idleOf.get(owner ?? '') ?? 0) < idleOfOne ? 'idle acquaintance' : 'stranger'
  }

  /** Notes that a connection has got its rank, or loses it. */
  #countIdle({ rank, owner }: Connection, by: 1 | -1): void {
    if (rank !== 'idle acquaintance' || owner === undefined) return
    const idle = (this.#idleOf.get(owner) ?? 0) + by
    if (idle > 0) this.#idleOf.set(owner, idle)
    else this.#idleOf.delete(owner)
  }
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}
