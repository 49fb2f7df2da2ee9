// Requests that a proxy and a server might cut apart differently. The one inside must never be answered by itself.
import { Breach } from '../attack.js'
import { captured } from '../place.js'

const inner = 'GET /status/v1/simple HTTP/1.1\r\nHost: localhost\r\n\r\n'
const head =
  'PUT /puppet/v3/facts/x?environment=production HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const shapes = [
  `${head}Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  `${head}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
  `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inner}`,
  `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
  `${head}Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n${inner}`,
  `${head}X: a\r\n Content-Length: 3\r\nContent-Length: 0x10\r\n\r\n${inner}`,
  `${head}Content-Length: +5\r\n\r\n0\r\n\r\n${inner}`,
  `${head}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${inner}`,
  `${head.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${inner}`,
  `${head}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}\r\na\r\n0\r\n\r\n`,
]

export const smuggling = {
  every: 5,
  /** @param {import('../attack.js').Attack} attack */
  act: (attack) => attack.together(shapes.length, (number) => smuggle(attack, shapes[number])),
}

async function smuggle({ secured, pause }, text) {
  const socket = await secured(captured[6])
  if (typeof socket === 'string') return socket
  let heard = ''
  socket.on('data', (data) => {
    heard += data
  })
  const closed = new Promise((done) => socket.once('close', done))
  socket.write(text)
  await Promise.race([closed, pause(3000)])
  const statuses = [...heard.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status)
  if (statuses.includes('200')) throw new Breach(`a request inside another was answered: ${text.slice(0, 300)}`)
  return statuses[0] ?? 'closed'
}
