// What an attacker has at hand for one act. Whatever is opened here is closed when the act is over.
import { request } from 'node:https'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'

/** What must never happen, and did. */
export class Breach extends Error {}

/** An act has no more than so much time, and reads no more than so much of an answer. */
const patienceMs = 30_000
const worthReading = 64 * 1024

/**
 * @typedef {Record<string, any> & {
 *   plain(options?: object): any,
 *   secured(as?: string, options?: object): Promise<any>,
 *   ask(as: string | undefined, call: object): Promise<any>,
 *   pause(ms: number): Promise<any>,
 *   together(count: number, work: (number: number) => any): Promise<any[]>,
 * }} Attack
 */

/**
 * The tools of one act. `place` is where the server is and what the attacker has taken: its port, process id and
 * repository, the certificates of captured nodes, and addresses of his own.
 */
export function newAttack(place) {
  const { port, ca, known } = place
  const open = new Set()
  let over
  let isOver = false
  const ended = new Promise((done) => {
    over = done
  })
  const keep = (socket) => {
    if (isOver) socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => {})
    return socket
  }
  const from = () => ({ host: '127.0.0.1', port, localAddress: any(place.addresses) })
  const identity = (name) => (name === undefined ? {} : known[name])
  const attack = {
    ...place,
    /** A connection without TLS. */
    plain: (options = {}) => keep(connect({ ...from(), ...options })),
    /** A connection with TLS, as a captured node or as nobody; answers it when it is secured, or the error's code. */
    secured: (as, options = {}) =>
      secured(keep, { ...from(), ca, servername: 'localhost', ...identity(as), ...options }),
    /** One request on a connection of its own: `{ status, body }`, where the status may be the code of an error. */
    ask: (as, call) => ask(keep, { ...from(), ca, servername: 'localhost', ...identity(as), agent: false }, call),
    /** Waits; no longer than the act goes on. */
    pause: (ms) => Promise.race([ended, new Promise((done) => setTimeout(done, ms).unref())]),
    /** All of them at once. */
    together: (count, work) => Promise.all(Array.from({ length: count }, (_, number) => work(number))),
  }
  return {
    /** Does it, once, within the time; answers what came of it in words. */
    async perform(act, limitMs = patienceMs) {
      const late = setTimeout(over, limitMs, 'no answer in time')
      try {
        return await Promise.race([act(attack), ended])
      } catch (error) {
        if (error instanceof Breach) throw error
        return error.code ?? error.message
      } finally {
        clearTimeout(late)
        isOver = true
        over()
        for (const socket of open) socket.destroy()
      }
    },
  }
}

function secured(keep, options) {
  return new Promise((done) => {
    const socket = keep(connectTls(options, () => done(socket)))
    socket.once('error', (error) => done(error.code ?? error.message))
    socket.once('close', () => done('closed'))
  })
}

/** `body` is text, bytes, or `{ chunk, times }`; `cutAfterMs` hangs up. */
function ask(keep, connection, { method = 'GET', path, headers = {}, type, body, cutAfterMs }) {
  return new Promise((done) => {
    const all = { Accept: 'application/json, application/octet-stream, text/plain', ...headers }
    if (body !== undefined) all['Content-Length'] = lengthOf(body)
    if (type) all['Content-Type'] = type
    const options = { ...connection, method, path, headers: all }
    const sent = request(options, (answer) => {
      const parts = []
      let size = 0
      answer.on('data', (part) => {
        if (size < worthReading) parts.push(part)
        size += part.length
      })
      answer.on('error', () => {})
      answer.once('close', () => done({ status: answer.statusCode, body: Buffer.concat(parts).toString('latin1') }))
    })
    const cut = () => {
      done({ status: 'cut', body: '' })
      sent.destroy()
    }
    sent.once('socket', keep)
    sent.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      done({ status: error.code ?? error.message, body: '' }),
    )
    sent.once('close', () => done({ status: 'closed', body: '' }))
    if (cutAfterMs !== undefined) setTimeout(cut, cutAfterMs)
    if (body?.chunk) Readable.from(repeated(body)).pipe(sent)
    else sent.end(body)
  })
}

function* repeated({ chunk, times }) {
  for (let number = 0; number < times; number++) yield chunk
}

function lengthOf(body) {
  return body.chunk ? body.chunk.length * body.times : Buffer.byteLength(body)
}

function any(list) {
  return list[Math.floor(Math.random() * list.length)]
}
