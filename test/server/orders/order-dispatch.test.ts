import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOrderWriter } from '../../../src/model/orders/order-signature.ts'
import { NodeConnections } from '../../../src/server/orders/node-connections.ts'
import { OrderDispatch } from '../../../src/server/orders/order-dispatch.ts'
import type { AuditRecord } from '../../../src/store/audit/record.ts'
import type { OrderRows } from '../../../src/store/orders/order-rows.ts'
import { openMemoryOrders } from '../../../src/store/orders/stored-orders.ts'
import { TestSocket } from './node-sockets.ts'

interface TestServer {
  readonly dispatch: OrderDispatch
  readonly connections: NodeConnections
  connect(node: string, isTrusted?: () => Promise<boolean>): TestSocket
  close(): Promise<void>
}

let rows: OrderRows
let audit: AuditRecord[]
let servers: TestServer[]
beforeEach(async () => {
  rows = await openMemoryOrders()
  audit = []
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.close()
})

function start({ name = 's1', shared = false, reconnectMs = 0 } = {}): TestServer {
  const connections = new NodeConnections({
    onMessage: (node, message) => dispatch.receive(node, message),
    onOpen: (node) => dispatch.connected(node),
    onClose: (node) => dispatch.disconnected(node),
    warn: () => {},
  })
  const dispatch = new OrderDispatch({
    ...{ rows, server: name, shared, reconnectMs, connections },
    orderWriter: async () => createOrderWriter(undefined),
    note: (record) => void audit.push(record),
    log: () => {},
    now: Date.now,
  })
  const server: TestServer = {
    ...{ dispatch, connections },
    connect(node, isTrusted = async () => true) {
      const socket = new TestSocket()
      connections.add(node, socket.end, isTrusted)
      return socket
    },
    async close() {
      await connections.close()
      await dispatch.close()
    },
  }
  servers.push(server)
  return server
}

const statesOf = async ({ dispatch }: TestServer, id: string) =>
  (await dispatch.progress(id))?.orders.map(({ node, state }) => `${node} ${state}`)

describe('the dispatch of orders', () => {
  it('sends orders, stores results before it acknowledges them, and counts them', async () => {
    const server = start()
    const [a, b] = [server.connect('a'), server.connect('b')]
    const { id } = await server.dispatch.run({ nodes: ['a', 'b', 'c', 'a'], person: 'ann', tags: ['NTP'], noop: true })
    await expect.poll(() => a.orders.length + b.orders.length).toBe(2)
    expect(a.orders[0]).toMatchObject({ kind: 'run', node: 'a', person: 'ann', noop: true, tags: ['ntp'] })
    expect(await statesOf(server, id)).toEqual(['a sent', 'b sent', 'c unconnected'])

    const order = String(a.orders[0]!['id'])
    a.say({ type: 'started', id: order })
    a.say({ type: 'finished', id: order, status: 2 })
    b.say({ type: 'refused', id: String(b.orders[0]!['id']), reason: 'disabled', message: 'maintenance' })
    await expect.poll(() => a.received.at(-1)).toEqual({ type: 'ack', id: order })
    expect(await statesOf(server, id)).toEqual(['a finished', 'b refused', 'c unconnected'])
    expect([...server.dispatch.counts]).toEqual([
      ['finished', 1],
      ['refused: disabled', 1],
    ])
    expect(audit).toEqual([
      {
        ...{ kind: 'run', batch: id, result: 'ordered', by: 'ann', nodes: 3, environment: null, commit: null },
        ...{ noop: true, tags: ['ntp'] },
      },
    ])
  })

  it('sends the next order when a run ends, and none after a stop', async () => {
    const server = start()
    const sockets = ['a', 'b', 'c'].map((node) => server.connect(node))
    const sent = () => sockets.map(({ orders }) => orders.length)
    const { id } = await server.dispatch.run({ nodes: ['a', 'b', 'c'], person: 'ann', maxAtOnce: 1 })
    await expect.poll(sent).toEqual([1, 0, 0])
    sockets[0]!.say({ type: 'finished', id: String(sockets[0]!.orders[0]!['id']), status: 0 })
    await expect.poll(sent).toEqual([1, 1, 0])
    expect(await server.dispatch.stop(id, 'eve')).toBe(1)
    sockets[1]!.say({ type: 'finished', id: String(sockets[1]!.orders[0]!['id']), status: 0 })
    await expect.poll(() => statesOf(server, id)).toEqual(['a finished', 'b finished', 'c stopped'])
    expect(audit.at(-1)).toEqual({ kind: 'run', batch: id, result: 'stopped', by: 'eve', nodes: 1 })
    expect(await server.dispatch.stop('unknown', 'eve')).toBeUndefined()
  })

  it('ignores messages about orders of other nodes, and about unknown orders', async () => {
    const server = start()
    const [a, b] = [server.connect('a'), server.connect('b')]
    const { id } = await server.dispatch.run({ nodes: ['a'], person: 'ann' })
    await expect.poll(() => a.orders).toHaveLength(1)
    const order = String(a.orders[0]!['id'])
    b.say({ type: 'finished', id: order, status: 0 })
    expect(b.received).toEqual([{ type: 'ack', id: order }])
    expect(await statesOf(server, id)).toEqual(['a sent'])
  })

  it('sends an order again to a node that connects again, with its first time', async () => {
    const server = start()
    const first = server.connect('a')
    await server.dispatch.run({ nodes: ['a'], person: 'ann' })
    await expect.poll(() => first.orders).toHaveLength(1)
    first.terminate()
    const second = server.connect('a')
    await expect.poll(() => second.orders).toEqual(first.orders)
  })

  it('does not send an order to a node whose certificate is revoked', async () => {
    const server = start()
    const socket = server.connect('a', async () => false)
    const { id } = await server.dispatch.run({ nodes: ['a'], person: 'ann' })
    await expect.poll(() => statesOf(server, id)).toEqual(['a unconnected'])
    expect([socket.orders, socket.closed?.code]).toEqual([[], 4001])
  })

  it('continues after a crash: a new server sends the orders and stores the results', async () => {
    const first = start()
    const before = first.connect('a')
    const { id } = await first.dispatch.run({ nodes: ['a', 'b'], person: 'ann', maxAtOnce: 1 })
    await expect.poll(() => before.orders).toHaveLength(1)
    const second = start({ reconnectMs: 60_000 })
    const after = second.connect('a')
    await expect.poll(() => after.orders).toEqual(before.orders)
    after.say({ type: 'finished', id: String(after.orders[0]!['id']), status: 0 })
    await expect.poll(() => statesOf(second, id)).toContain('a finished')
  })

  it('reaches nodes that are connected to another server with the same store', async () => {
    const [first, second] = [start({ name: 's1', shared: true }), start({ name: 's2', shared: true })]
    const [a, b] = [first.connect('a'), second.connect('b')]
    const { id } = await first.dispatch.run({ nodes: ['a', 'b', 'c'], person: 'ann' })
    await expect.poll(() => [a.orders.length, b.orders.length], { timeout: 3000 }).toEqual([1, 1])
    b.say({ type: 'finished', id: String(b.orders[0]!['id']), status: 0 })
    await expect.poll(() => statesOf(first, id)).toEqual(['a sent', 'b finished', 'c waiting'])
    await expect.poll(() => statesOf(first, id), { timeout: 6000 }).toContain('c unconnected')
  })

  it.each([
    [{ nodes: [] }, 'No nodes match'],
    [{ nodes: ['A B'] }, 'is not a certname'],
    [{ nodes: Array.from({ length: 20_001 }, (_, at) => `n${at}`) }, 'More than 20000 nodes in one batch'],
    [{ nodes: ['a'], maxAtOnce: 0 }, 'must be a positive integer'],
    [{ nodes: ['a'], environment: 'a b' }, 'is not an environment'],
  ])('rejects %.40j', async (request, why) => {
    await expect(start().dispatch.run({ person: 'ann', ...request })).rejects.toThrow(why)
    expect(audit).toEqual([])
  })
})
