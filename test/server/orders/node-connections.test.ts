import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NodeMessage } from '../../../src/model/orders/order-messages.ts'
import { NodeConnections } from '../../../src/server/orders/node-connections.ts'
import { TestSocket } from './node-sockets.ts'

const id = '0d8bb245-f4a9-494c-b8fa-ce67cb909245'
let heard: (readonly [string, NodeMessage])[]
let warnings: string[]
let open: string[]
let connections: NodeConnections
const yes = async () => true
beforeEach(() => {
  vi.useFakeTimers()
  heard = []
  warnings = []
  open = []
  connections = new NodeConnections({
    onMessage: (node, message) => void heard.push([node, message]),
    onOpen: (node) => void open.push(`+${node}`),
    onClose: (node) => void open.push(`-${node}`),
    warn: (message) => void warnings.push(message),
    heartbeatSeconds: 3,
  })
})
afterEach(async () => {
  const closing = connections.close()
  await vi.runAllTimersAsync()
  await closing
  vi.useRealTimers()
})

function connect(node: string, isTrusted = yes): TestSocket {
  const socket = new TestSocket()
  connections.add(node, socket.end, isTrusted)
  return socket
}

describe('the connections of nodes', () => {
  it('carry messages in both directions', () => {
    const socket = connect('a')
    expect(connections.send('a', { type: 'ack', id })).toBe(true)
    expect(connections.send('b', { type: 'ack', id })).toBe(false)
    expect(socket.received).toEqual([{ type: 'ack', id }])
    socket.say({ type: 'started', id })
    expect(heard).toEqual([['a', { type: 'started', id }]])
  })

  it('are one for each node: a newer one replaces the older', () => {
    const [first, second] = [connect('a'), connect('a')]
    expect(first.closed?.code).toBe(4002)
    expect([connections.size, connections.has('a')]).toEqual([1, true])
    expect(open).toEqual(['+a', '+a'])
    second.terminate()
    expect([connections.size, connections.has('a')]).toEqual([0, false])
    expect(open).toEqual(['+a', '+a', '-a'])
  })

  it('end if the node does not answer a heartbeat', () => {
    const [silent, lively] = [connect('a'), connect('b')]
    for (let second = 0; second < 9; second++) {
      vi.advanceTimersByTime(1000)
      if (lively.pings > 0) lively.emit('pong')
    }
    expect([silent.pings, silent.readyState, lively.pings, lively.readyState]).toEqual([1, 3, 3, 1])
  })

  it.each(['', 'x', '{"type":"started"}'])('end after an invalid message: %s', (text) => {
    const socket = connect('a')
    socket.say(text)
    expect([socket.closed?.code, connections.has('a'), heard]).toEqual([1008, false, []])
    expect(warnings).toEqual([expect.stringContaining('Closed the connection of a for orders: invalid message')])
  })

  it('end if a node sends binary data, or too many messages', () => {
    const [binary, many] = [connect('a'), connect('b')]
    binary.emit('message', Buffer.from('x'), true)
    expect(binary.closed?.code).toBe(1008)
    for (let count = 0; count < 30; count++) many.say({ type: 'started', id })
    expect(many.closed?.code).toBe(1008)
    expect(heard.length).toBeLessThan(30)
  })

  it('end if the node does not read', () => {
    const socket = connect('a')
    socket.bufferedAmount = 100_000
    expect(connections.send('a', { type: 'ack', id })).toBe(false)
    expect(socket.readyState).toBe(3)
  })

  it('end if the certificate of the node is revoked, before an order or with a heartbeat', async () => {
    const [first, second] = [connect('a', async () => false), connect('b', async () => false)]
    expect(await connections.isTrusted('a')).toBe(false)
    expect(first.closed?.code).toBe(4001)
    second.on('newListener', () => {})
    for (let beat = 0; beat < 31; beat++) {
      second.emit('pong')
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(second.closed?.code).toBe(4001)
    expect(warnings).toHaveLength(2)
  })

  it('are handed over with different delays when the server ends, and accept no more', async () => {
    const sockets = Array.from({ length: 1000 }, (_, at) => connect(`n${at}`))
    await connections.close()
    const delays = sockets.map(({ closed }) => Number(/^Reconnect in (\d+) seconds$/.exec(closed!.reason)?.[1]))
    expect(sockets.every(({ closed }) => closed!.code === 1012)).toBe(true)
    expect([Math.min(...delays), Math.max(...delays), new Set(delays).size]).toEqual([1, 10, 10])
    const late = connect('late')
    expect([late.closed?.code, connections.has('late')]).toEqual([1012, false])
  })
})
