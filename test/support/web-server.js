// A server of the web for tests: what it says of a file is in its path. Prints its port, and ends with its parent.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const content = 'of the web\n'
const sum = (type, encoding = 'hex') => createHash(type).update(content).digest(encoding)
const time = 'Wed, 01 Jan 2020 00:00:00 GMT'

const answers = {
  '/sha256': [200, { 'x-checksum-sha256': sum('sha256'), 'last-modified': time }],
  '/sha1': [200, { 'x-checksum-sha1': sum('sha1') }],
  '/md5': [200, { 'x-checksum-md5': sum('md5') }],
  '/content-md5': [200, { 'content-md5': sum('md5', 'base64'), 'last-modified': time }],
  '/all': [200, { 'x-checksum-md5': sum('md5'), 'x-checksum-sha1': sum('sha1'), 'x-checksum-sha256': sum('sha256') }],
  '/mtime': [200, { 'last-modified': time }],
  '/future': [200, { 'last-modified': 'Sat, 01 Jan 2050 00:00:00 GMT' }],
  '/bare': [200, {}],
  '/wrong': [200, { 'x-checksum-sha256': '0'.repeat(64) }],
  '/error': [500, {}],
  '/a%20b': [200, { 'x-checksum-sha256': sum('sha256') }],
}

const redirects = { '/moved': '/sha256', '/moved-for-ever': '/moved-for-ever' }

const server = createServer(({ method, url, headers }, response) => {
  // A proxy is asked for whole URLs.
  const { pathname } = new URL(url ?? '', 'http://host')
  if (['/no-head', '/forbidden-head'].includes(pathname) && method === 'HEAD')
    return void response.writeHead(pathname === '/no-head' ? 405 : 403).end()
  const elsewhere = redirects[pathname]
  if (elsewhere) return void response.writeHead(302, { location: `http://${headers.host}${elsewhere}` }).end()
  const partial = headers.range === undefined ? {} : { 'content-range': `bytes 0-0/${content.length}` }
  const known = /head$/.test(pathname)
    ? [headers.range ? 206 : 200, { ...answers['/sha256'][1], ...partial }]
    : answers[pathname]
  const [status, more] = known ?? [404, {}]
  response.writeHead(status, more).end(status === 206 ? content.slice(0, 1) : status === 200 ? content : '')
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit())
