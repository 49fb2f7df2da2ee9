import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type PeerCertificate } from 'node:tls'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import type { SocketFailure, SocketRequest, SocketResponse, TlsRequest } from '../../ruby/node/socket-messages.ts'
import { isRecordType, queryDns } from '../outside/dns.ts'

/** Carries a failure to the response of its request. */
class SocketError extends Error {
  readonly failure: SocketFailure

  constructor(failure: SocketFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The sockets of one thread, by number. Reads from a socket only on request, which slows down a fast sender. */
export class Sockets {
  readonly #sockets = new Map<number, Socket>()
  #last = 0

  /** Runs a request. Never rejects. */
  async answer(request: SocketRequest): Promise<SocketResponse> {
    try {
      return await this.#run(request)
    } catch (error) {
      return { failure: error instanceof SocketError ? error.failure : toSocketFailure(error) }
    }
  }

  async #run(request: SocketRequest): Promise<SocketResponse> {
    switch (request.op) {
      case 'connect':
      case 'connect_unix':
        return { value: await this.#connect(request) }
      case 'tls':
        return { value: await this.#startTls(request.id, request.tls, request.timeMs) }
      case 'read':
        return this.#read(request)
      case 'wait':
        return { value: await this.#wait(request.ids, request.timeMs) }
      case 'write':
        await this.#write(request)
        return { value: null }
      case 'wait_writable':
        await waitUntilWritable(this.#get(request.id), request.timeMs)
        return { value: null }
      case 'finish':
        this.#get(request.id).end()
        return { value: null }
      case 'close':
        await this.#close(request.id)
        return { value: null }
      case 'addresses':
        return { value: getAddresses(this.#get(request.id)) }
      case 'resolve': {
        const { host, family } = request
        const found = await runInTime(request.timeMs, (signal) =>
          raceSignal(lookup(host, { all: true, family }), signal),
        )
        return { value: found.map(({ address }) => address) }
      }
      case 'dns': {
        const { type, servers } = request
        if (!isRecordType(type)) throw new SocketError({ kind: 'resolution', message: `No such record type: ${type}` })
        const name = request.name.toLowerCase().replace(/\.$/, '')
        const rules = { dnsServers: [], ttlMs: 0, times: { dnsMs: budgets.socket.dnsQuery.bound } }
        const query = queryDns({ name, type, servers }, rules)
        const { answer } = await runInTime(request.timeMs, (signal) => raceSignal(query, signal))
        return { value: answer as Json }
      }
    }
  }

  async #connect(request: SocketRequest & { readonly op: 'connect' | 'connect_unix' }): Promise<number> {
    if (this.#sockets.size >= budgets.socket.open.bound)
      throw new SocketError({ kind: 'system', errno: 'EMFILE', message: 'Too many open files' })
    const socket =
      request.op === 'connect_unix'
        ? connect({ path: request.path, allowHalfOpen: true })
        : connect({
            host: request.host,
            port: request.port,
            allowHalfOpen: true,
            autoSelectFamilyAttemptTimeout: budgets.socket.addressTime.bound,
            ...(request.localHost !== undefined && { localAddress: request.localHost }),
            ...(request.localPort !== undefined && { localPort: request.localPort }),
          })
    try {
      await runInTime(request.timeMs, (signal) => once(socket, 'connect', { signal }))
    } catch (error) {
      socket.destroy()
      throw error
    }
    return this.#add(socket)
  }

  #add(socket: Socket, id = ++this.#last): number {
    // The next request for the socket reports its error.
    socket.on('error', () => {})
    socket.pause()
    this.#sockets.set(id, socket)
    return id
  }

  #get(id: number): Socket {
    const socket = this.#sockets.get(id)
    if (!socket) throw new SocketError({ kind: 'closed', message: 'closed stream' })
    return socket
  }

  /** Ends the connection once the written bytes have been sent, even if the peer keeps its side open. */
  async #close(id: number): Promise<void> {
    const socket = this.#sockets.get(id)
    this.#sockets.delete(id)
    if (!socket || socket.destroyed) return
    const hasUnsent = socket.writableLength > 0
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    setTimeout(() => socket.destroy(), budgets.socket.linger.bound).unref()
    socket.end(() => socket.destroy())
    if (hasUnsent) await ended
  }

  async #startTls(id: number, request: TlsRequest, timeMs: number | undefined): Promise<Json> {
    const plain = this.#get(id)
    const secure = connectTls({ ...toTlsOptions(request), socket: plain })
    try {
      await runInTime(timeMs, (signal) => once(secure, 'secureConnect', { signal }))
    } catch (error) {
      secure.destroy()
      const isTls = !(error instanceof SocketError) && !isPlainSystemError(error)
      throw isTls ? new SocketError({ kind: 'tls', message: (error as Error).message }) : error
    }
    this.#add(secure, id)
    const cipher = secure.getCipher()
    return {
      certificates: listCertificates(secure.getPeerCertificate(true)),
      version: secure.getProtocol(),
      cipher: cipher.name,
      cipher_version: cipher.version,
      alpn: secure.alpnProtocol || null,
    }
  }

  async #read({ id, size, timeMs }: SocketRequest & { readonly op: 'read' }): Promise<SocketResponse> {
    const socket = this.#get(id)
    const bytes = readAvailable(socket, size)
    if (bytes) return { bytes }
    if (timeMs === 0 && !isFinished(socket)) return { value: 'wait' }
    await waitUntilReadable(socket, timeMs)
    const later = readAvailable(socket, size)
    if (later) return { bytes: later }
    if (socket.errored) throw socket.errored
    return { value: isFinished(socket) ? 'end' : 'wait' }
  }

  /** Waits until one of the sockets can be read. Returns the numbers of the readable sockets; an empty list if the time is over. */
  async #wait(ids: readonly number[], timeMs: number | undefined): Promise<readonly number[]> {
    const isReadable = (id: number) => {
      const socket = this.#get(id)
      if (socket.readableLength === 0) socket.read(0)
      return socket.readableLength > 0 || isFinished(socket)
    }
    if (!ids.some(isReadable)) {
      const stop = new AbortController()
      await Promise.race(ids.map((id) => waitUntilReadable(this.#get(id), timeMs, stop.signal)))
      stop.abort()
    }
    return ids.filter(isReadable)
  }

  /** Writes when earlier bytes have been sent. */
  async #write({ id, bytes, timeMs }: SocketRequest & { readonly op: 'write' }): Promise<void> {
    const socket = this.#get(id)
    if (socket.errored) throw socket.errored
    if (socket.destroyed || socket.writableEnded)
      throw new SocketError({ kind: 'system', errno: 'EPIPE', message: 'Broken pipe' })
    await waitUntilWritable(socket, timeMs)
    socket.write(bytes)
  }
}

/** Returns up to `size` received bytes; undefined if nothing has been received. */
function readAvailable(socket: Socket, size: number): Buffer | undefined {
  if (socket.readableLength === 0) socket.read(0)
  const available = Math.min(size, socket.readableLength)
  return available > 0 ? ((socket.read(available) as Buffer | null) ?? undefined) : undefined
}

/** True if no more bytes will arrive. */
function isFinished(socket: Socket): boolean {
  return socket.readableEnded || socket.destroyed || socket.errored !== null
}

/** Waits until the socket has received bytes, its end or an error, at most for the time. Never rejects. */
function waitUntilReadable(socket: Socket, timeMs: number | undefined, stop?: AbortSignal): Promise<void> {
  if (socket.readableLength > 0 || isFinished(socket) || stop?.aborted) return Promise.resolve()
  const readable = waitForEvent(socket, ['readable', 'end', 'close', 'error'], timeMs, stop)
  socket.read(0)
  return readable
}

/** Waits until earlier bytes have been sent. Throws the error of the socket, or a SocketError of the kind `timeout`. */
async function waitUntilWritable(socket: Socket, timeMs: number | undefined): Promise<void> {
  if (!socket.writableNeedDrain) return
  await waitForEvent(socket, ['drain', 'close', 'error'], timeMs)
  if (socket.errored) throw socket.errored
  if (socket.writableNeedDrain && !socket.destroyed) throw new SocketError({ kind: 'timeout', message: 'timed out' })
}

/** Waits for one of the events, at most for the time. Never rejects. */
function waitForEvent(
  socket: Socket,
  events: readonly string[],
  timeMs: number | undefined,
  stop?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', done)
      for (const event of events) socket.off(event, done)
      resolve()
    }
    const timer = timeMs === undefined ? undefined : setTimeout(done, toTimerMs(timeMs))
    stop?.addEventListener('abort', done)
    for (const event of events) socket.on(event, done)
  })
}

/** Limits a duration to the longest of Node's timers; a longer one would fire at once. */
const toTimerMs = (timeMs: number): number => Math.min(timeMs, 2 ** 31 - 1)

/** Runs `work` for at most the time. Throws a SocketError of the kind `timeout`. */
async function runInTime<Result>(
  timeMs: number | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const timer = timeMs === undefined ? undefined : setTimeout(() => stop.abort(), toTimerMs(timeMs))
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) throw new SocketError({ kind: 'timeout', message: 'timed out' })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the result of `work`. Rejects when `signal` aborts; the result is then ignored. */
function raceSignal<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stopped = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  return Promise.race([work, stopped])
}

function toTlsOptions({ host, protocols, ...request }: TlsRequest): ConnectionOptions {
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
  return {
    ...given,
    // SNI contains host names only, not addresses (RFC 6066).
    ...(host !== undefined && isIP(host) === 0 && { servername: host }),
    ...(protocols && protocols.length > 0 && { ALPNProtocols: [...protocols] }),
    // Ruby verifies the certificates before it sends anything, by its own rules.
    ca: [],
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  } as ConnectionOptions
}

/** Returns the certificates of a server in base64 of DER, the server's own first. */
function listCertificates(
  first: PeerCertificate & { readonly issuerCertificate?: PeerCertificate },
): readonly string[] {
  const found: string[] = []
  for (let each: typeof first | undefined = first; each?.raw; each = each.issuerCertificate) {
    const text = each.raw.toString('base64')
    if (found.includes(text)) break
    found.push(text)
  }
  return found
}

function getAddresses(socket: Socket): Json {
  const { localAddress = null, localPort = null, remoteAddress = null, remotePort = null } = socket
  return { local: [localAddress, localPort], remote: [remoteAddress, remotePort] }
}

function isPlainSystemError(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'].includes(getSystemErrorCode(error) ?? '')
}

/** Converts an error of Node, of its resolver or of the operating system. */
function toSocketFailure(error: unknown): SocketFailure {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const code = getSystemErrorCode(first)
  const message = first instanceof Error ? first.message : String(first)
  if (code === 'ENOTFOUND') return { kind: 'resolution', message: 'Name or service not known' }
  if (code === 'EAI_AGAIN') return { kind: 'resolution', message: 'Temporary failure in name resolution' }
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code)) return { kind: 'system', errno: code, message }
  return { kind: 'refused', message }
}
