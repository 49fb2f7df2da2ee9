import type { Socket } from 'node:net'

/** The time for the sender of a broken request to take the answer. Milliseconds. */
const patienceMs = 1000

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers what is no request, or too slow a one, and ends its connection once the answer is under way. */
export function answerBrokenRequest({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const answer = answers[code ?? ''] ?? '400 Bad Request'
  const body = `${answer.slice(4)}\n`
  const headers = ['Content-Type: text/plain', `Content-Length: ${body.length}`, 'Connection: close']
  socket.end([`HTTP/1.1 ${answer}`, ...headers, '', body].join('\r\n'), () => socket.destroy())
  setTimeout(() => socket.destroy(), patienceMs).unref()
}
