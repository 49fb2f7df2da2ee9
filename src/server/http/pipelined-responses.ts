import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes the responses of pipelined requests with their connection. Node emits `close` only for the
 * response being sent, so listeners of the others would wait forever.
 */
export function closePipelinedResponses(server: Server): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    // Many parts of the server listen for the end of a request.
    answer.setMaxListeners(0)
    const answers = open.get(socket) ?? new Set()
    if (!open.has(socket)) socket.once('close', () => answers.forEach(closeResponse))
    open.set(socket, answers)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })
}

function closeResponse(answer: ServerResponse): void {
  if (answer.closed) return
  answer.destroy()
  answer.emit('close')
}
