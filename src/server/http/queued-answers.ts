import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Ends the answers of pipelined requests with their connection. Node says `close` of the one that is being sent only: who
 * counts or times the others would do so for ever.
 */
export function closeQueuedAnswers(server: Server): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    // Every part of the server that has to do with a request listens for its end.
    answer.setMaxListeners(0)
    const answers = open.get(socket) ?? new Set()
    if (!open.has(socket)) socket.once('close', () => answers.forEach(close))
    open.set(socket, answers)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })
}

function close(answer: ServerResponse): void {
  if (answer.closed) return
  answer.destroy()
  answer.emit('close')
}
