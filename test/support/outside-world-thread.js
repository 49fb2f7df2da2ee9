// A DNS server and an HTTP server in a thread of their own, which answers while the test's stands still.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33 }
const names = Object.fromEntries(Object.entries(types).map(([name, number]) => [number, name]))

/** @type {Record<string, unknown>} Records by `NAME TYPE`; a number is an error's, `null` is silence, `{turns}` one after another. */
let zone = {}
/** @type {Record<string, number>} Questions, by `NAME TYPE`, and requests by their addresses. */
const counts = {}
const count = (/** @type {string} */ key) => {
  counts[key] = (counts[key] ?? 0) + 1
  return counts[key]
}

const dns = createSocket('udp4')
dns.on('message', (query, { port, address }) => {
  const [name, end] = readName(query, 12)
  const type = names[query.readUInt16BE(end)] ?? '?'
  const nth = count(`${name} ${type}`)
  let found = zone[`${name} ${type}`]
  if (found && typeof found === 'object' && 'turns' in found) {
    const { turns } = /** @type {{turns: unknown[]}} */ (found)
    found = turns[Math.min(nth, turns.length) - 1]
  }
  if (found === null) return
  const isKnown = Object.keys(zone).some((key) => key.startsWith(`${name} `))
  const code = typeof found === 'number' ? found : found || isKnown ? 0 : 3
  const records = Array.isArray(found) ? found : []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  const answers = records.map((record) => {
    const data = dataOf(type, record)
    const start = Buffer.alloc(12)
    start.writeUInt16BE(0xc00c, 0)
    start.writeUInt16BE(types[/** @type {keyof typeof types} */ (type)], 2)
    start.writeUInt16BE(1, 4)
    start.writeUInt32BE(record.ttl ?? 300, 6)
    start.writeUInt16BE(data.length, 10)
    return Buffer.concat([start, data])
  })
  dns.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers]), port, address)
})

function readName(message, at) {
  const labels = []
  while (message[at] !== 0) {
    labels.push(message.subarray(at + 1, at + 1 + message[at]).toString('latin1'))
    at += 1 + message[at]
  }
  return [labels.join('.').toLowerCase(), at + 1]
}

const nameData = (name) =>
  Buffer.concat([
    ...name.split('.').map((each) => Buffer.from([each.length, ...Buffer.from(each, 'latin1')])),
    Buffer.from([0]),
  ])
const numbers = (...values) => {
  const data = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) data.writeUInt16BE(value, index * 2)
  return data
}
const longNumbers = (...values) => {
  const data = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) data.writeUInt32BE(value, index * 4)
  return data
}

function dataOf(type, record) {
  switch (type) {
    case 'A':
      return Buffer.from((record.address ?? record).split('.').map(Number))
    case 'AAAA':
      return Buffer.from(record, 'hex')
    case 'MX':
      return Buffer.concat([numbers(record.preference), nameData(record.exchange)])
    case 'TXT':
      return Buffer.concat(record.map((text) => Buffer.from([Buffer.byteLength(text), ...Buffer.from(text)])))
    case 'SRV':
      return Buffer.concat([numbers(record.priority, record.weight, record.port), nameData(record.target)])
    case 'SOA':
      return Buffer.concat([nameData(record.mname), nameData(record.rname), longNumbers(...record.numbers)])
    default:
      return nameData(record)
  }
}

const pages = {
  '/hello': (request, response) => response.end(`hello from ${request.socket.localAddress} as ${request.headers.host}`),
  '/count': (_, response) => response.end(String(counts['GET /count'])),
  '/fresh': (_, response) => response.setHeader('cache-control', 'no-store').end(String(counts['GET /fresh'])),
  '/json': (_, response) => response.setHeader('content-type', 'application/json').end('{"a":[1,{"b":"ä"}]}'),
  '/yaml': (_, response) => response.end('a: [1, 2]\nb: text\n'),
  '/long': (_, response) => response.end('x'.repeat(50_000)),
  '/binary': (_, response) => response.end(Buffer.from([0, 255, 1, 254])),
  '/secret': (request, response) => response.end(`for ${request.headers.authorization}`),
  '/headers': (request, response) => response.end(JSON.stringify(request.rawHeaders)),
  '/missing': (_, response) => response.writeHead(404, 'Not Here').end('no'),
  '/here': (_, response) => response.writeHead(302, { location: '/hello' }).end(),
  '/elsewhere': (request, response) =>
    response.writeHead(302, { location: `http://other.test:${request.socket.localPort}/hello` }).end(),
  '/slow': () => {},
  '/drip': (_, response) => {
    const timer = setInterval(() => response.write('x'), 50)
    response.on('close', () => clearInterval(timer))
  },
  '/huge': (_, response) => {
    const piece = Buffer.alloc(256 * 1024)
    const more = () => response.write(piece) && setImmediate(more)
    response.on('drain', more)
    response.on('error', () => {})
    more()
  },
  '/headers-without-end': (request) => {
    const timer = setInterval(() => request.socket.write(`x: ${'y'.repeat(8000)}\r\n`), 5)
    request.socket.write('HTTP/1.1 200 OK\r\n')
    request.socket.on('error', () => {}).on('close', () => clearInterval(timer))
  },
  '/broken': (request) => request.socket.destroy(),
}
const answer = (request, response) => {
  const path = new URL(request.url, 'http://x').pathname
  count(`${request.method} ${path}`)
  response.setHeader('x-request-id', String(Math.random()))
  ;(pages[path] ?? pages['/missing'])(request, response)
}
const [here, there] = [createServer(answer), createServer(answer)]

dns.bind(0, '127.0.0.1')
await once(dns, 'listening')
here.listen(0, '127.0.0.1')
await once(here, 'listening')
const { port } = here.address()
there.listen(port, '127.0.0.2')
await once(there, 'listening')

parentPort.on('message', (message) => {
  if (message === 'counts') parentPort.postMessage({ ...counts })
  else if (message === 'close') {
    dns.close()
    for (const server of [here, there]) server.close().closeAllConnections()
    parentPort.close()
  } else {
    zone = message
    parentPort.postMessage('taken')
  }
})
parentPort.postMessage({ dns: `127.0.0.1:${dns.address().port}`, port })
