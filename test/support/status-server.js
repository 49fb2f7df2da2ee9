// A web server for tests. The path determines the answer: `/STATUS/…`, `/to/STATUS/PATH`, `/KIND`. Prints its
// port, and ends with its parent.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const texts = { text: 'of the web\n', empty: '', binary: Buffer.from([0, 255, 128, 10, 13, 0]), other: 'other\n' }
const time = 'Wed, 01 Jan 2020 00:00:00 GMT'

createServer(({ method, url = '', headers }, response) => {
  const { pathname, search } = new URL(url, 'http://host')
  const [kind = '', ...rest] = pathname.slice(1).split('/')
  const send = (status, body, more) => {
    const length = rest.includes('no-length') ? {} : { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...length, ...more }).end(method === 'HEAD' ? '' : body)
  }
  if (kind === 'to') {
    const target = rest[1] === 'loop' ? pathname : `/${rest.slice(1).join('/')}`
    return void send(Number(rest[0]), '', rest[1] === 'nowhere' ? {} : { location: `http://${headers.host}${target}` })
  }
  if (kind === 'query') return void send(200, `${search}\n`, { 'last-modified': time })
  if (kind === 'user' && headers.authorization !== `Basic ${btoa('me:secret')}`) return void send(401, '')
  const text = texts[kind === 'user' ? 'text' : kind]
  if (text === undefined) return void send(Number(kind) || 404, 'body of an error\n')
  const sum = (type) => createHash(type).update(text).digest('hex')
  send(200, text, rest.includes('sum') ? { 'x-checksum-sha256': sum('sha256') } : { 'last-modified': time })
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`${this.address().port}\n`)
})
process.stdin.resume().on('end', () => process.exit())
