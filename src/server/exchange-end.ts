import type { IncomingMessage, ServerResponse } from 'node:http'

const underWay = new WeakMap<object, Set<() => void>>()

/**
 * Calls `done` once, when the answer is over or its connection is. Node says nothing of an answer that waits for others
 * of its connection when that is cut.
 */
export function onExchangeEnd({ socket }: IncomingMessage, response: ServerResponse, done: () => void): void {
  const known = underWay.get(socket)
  const all = known ?? new Set<() => void>()
  if (!known) {
    underWay.set(socket, all)
    socket.once('close', () => {
      for (const end of [...all]) end()
    })
  }
  const end = () => {
    if (all.delete(end)) done()
  }
  all.add(end)
  response.once('close', end)
}
