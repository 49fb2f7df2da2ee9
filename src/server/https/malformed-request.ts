import type { Socket } from 'node:net'

/**
 * Time the client gets to read the error response before the connection is cut, in milliseconds.
 */
const patienceMs = 1000

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers a malformed or too slow request with an HTTP error, then closes the connection. */
export function answerMalformedRequest({ code }: NodeJS.ErrnoException, socket: Socket): void {
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
