import { budgets } from '../../base/budgets/budgets.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { startBridgeThread } from '../../base/threads/bridge-thread.ts'
import { createLazyBridgeCaller } from '../../base/threads/thread-bridge.ts'
import type { HostAnswers } from './host.ts'
import type { SocketRequest, SocketResponse } from './socket-messages.ts'

const startTimeMs = 30_000

/** Longest time of a timer, in milliseconds. Requests have times of their own. */
const noLimitMs = 2 ** 31 - 1

/**
 * Returns the replies to Ruby's requests about sockets. A separate thread runs a request while this thread waits; it
 * starts at the first request. `script` is the URL of its script; without it, each request is refused. Ruby sends and
 * receives bytes as base64 in `data`.
 */
export function createSocketAnswers(script: string | undefined): HostAnswers {
  if (script === undefined)
    return { socket: () => ({ failure: { kind: 'refused', message: 'Sockets cannot be opened here' } }) }
  const createLateError = () => new Error('the socket thread did not start in time')
  const send = createLazyBridgeCaller<SocketRequest, SocketResponse>(
    () => startBridgeThread(new URL(script), null, startTimeMs, createLateError),
    noLimitMs,
  )
  return {
    socket([given]) {
      const { data, ...request } = given as { readonly data?: string }
      const bytes = data === undefined ? {} : { bytes: Buffer.from(data, 'base64') }
      return toReply(send({ ...request, ...bytes } as SocketRequest))
    },
    socket_limits: () => ({ piece: budgets.socket.piece.bound, body: budgets.socket.body.bound }),
  }
}

function toReply(response: SocketResponse): Json {
  if ('bytes' in response) {
    const { buffer, byteOffset, byteLength } = response.bytes
    return { data: Buffer.from(buffer, byteOffset, byteLength).toString('base64') }
  }
  return 'failure' in response ? { failure: { ...response.failure } } : { value: response.value }
}
