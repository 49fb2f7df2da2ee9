import { chmod, mkdir, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkOptionalString, type Json } from '../../base/json/json-checks.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { PushedRef } from '../push-check.ts'
import type { SourceFetchReply, SourceFetchRequest } from '../sources/fetch-request.ts'
import type { FreezeRequest } from '../sources/freeze-request.ts'
import type { FrozenEnvironment } from '../sources/frozen-environments.ts'
import type { SourceStatus } from '../sources/source-status.ts'
import type { ModuleUpdateRequest } from './module-update-request.ts'
import type { SkipRequest } from './push-record.ts'

/** The state of a server's code. */
export interface ServerCode {
  readonly environments: readonly EnvironmentStatus[]
  /** The git directory that the server serves; `undefined` if it serves directories. */
  readonly repository: string | undefined
  /** The reason why the server's last check for new code failed; `undefined` if it succeeded. */
  readonly trouble: string | undefined
  /** The code sources of the server; `undefined` if none are configured. */
  readonly sources?: ServerSources | undefined
}

/** The state of a server's code sources. */
export interface ServerSources {
  readonly sources: readonly SourceStatus[]
  readonly frozen: readonly FrozenEnvironment[]
  /** The reason why deployments to all environments are blocked; `null` if they are not blocked. */
  readonly writeLock: string | null
  /** Warnings about the sources file. */
  readonly warnings: readonly string[]
}

/** Requests that a running server handles on its control socket. Clients are local users with access to the socket. */
export interface ControlRequests {
  /** Returns the state of the served code. */
  status(): Promise<ServerCode>
  /** Checks for new code, then returns the state of the served code. */
  refresh(): Promise<ServerCode>
  /** Reloads all files that other programs may have changed, then returns the state of the served code. */
  reload(): Promise<ServerCode>
  /** Receives a hook's notification about a push, as JSON. */
  pushed?(push: unknown): void
  /**
   * Serves the newest code of an environment although the gate rejected it, then returns the state of the served code.
   */
  skip?(asked: unknown): Promise<ServerCode>
  /** Fetches code sources. The request is an `SourceFetchRequest`, the reply a `SourceFetchReply`. */
  fetch?(asked: unknown): Promise<Json>
  /** Freezes or unfreezes an environment, then returns the state of the served code. */
  freeze?(asked: unknown): Promise<ServerCode>
  /** Resolves modules of Puppetfiles again. The request is an `ModuleUpdateRequest`, the reply an `ModuleUpdateReply`. */
  update?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
  /**
   * Tests a push on nodes. `tell` sends a progress line to the client; `gone` is aborted when the client disconnects.
   */
  gate?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
}

/** A request to a server to test a push on nodes. */
export interface GateRequest {
  /** The git directory that receives the push. */
  readonly repository: string
  readonly pushed: readonly PushedRef[]
  /**
   * The quarantine directory, which contains the pushed objects until the hook accepts the push; `null` if the
   * repository contains them already.
   */
  readonly quarantine: string | null
}

/** The open control socket of a server. */
export interface Control {
  close(): Promise<void>
}

const issues = defineIssues({
  CONTROL_IN_USE: {
    text: (a: { path: string }) => `Another server is running (${a.path})`,
    hint: () => 'Stop it, or set another rundir for this server.',
  },
  CONTROL_REFUSED: { text: (a: { why: string }) => `The server rejected the request: ${a.why}` },
})

/**
 * Maximum length of a request in characters. A request is one line: a word, optionally followed by JSON. A reply is one
 * line of JSON.
 */
const maxRequestLength = 256 * 1024
/** Timeout in milliseconds of a hook's notification, whose reply has no content. */
const tellMs = 5000
const timeoutMs = 60_000
/** Maximum number of connections: hooks of running pushes, and a few administrators. */
const connectionsAtOnce = 64

const unknownRequest = 'unknown request'

/** The path of a server's control socket. */
export function getControlPath({ rundir }: Pick<Settings, 'rundir'>): string {
  return join(rundir, 'control.sock')
}

/** Opens the control socket with access for its owner only. Replaces the socket of a server that has ended. */
export async function serveControl(path: string, requests: ControlRequests): Promise<Control> {
  await mkdir(dirname(path), { recursive: true })
  if ((await connect(path)) !== undefined) throwIssue(issues.CONTROL_IN_USE, { path })
  await rm(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.setTimeout(timeoutMs, () => socket.destroy())
    handleConnection(socket, requests)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  // Without a listener, an error such as EMFILE in `accept` would end the process. The client sees a closed connection.
  server.on('error', () => {})
  server.maxConnections = connectionsAtOnce
  await chmod(path, 0o600)
  server.unref()
  return {
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** True if a server listens at the path, and this user may connect. */
export async function isServerListening(path: string): Promise<boolean> {
  return (await connect(path)) !== undefined
}

/** Sends a request to the running server; `undefined` if no server is running or this user may not connect. */
export async function sendControlRequest(
  path: string,
  request: 'status' | 'refresh' | 'reload',
): Promise<ServerCode | undefined> {
  return parseServerCode(await sendRequest(path, request, timeoutMs))
}

/** Requests that the server serve code that the gate rejected; `undefined` if no server is running. */
export async function requestGateSkip(path: string, asked: SkipRequest): Promise<ServerCode | undefined> {
  return parseServerCode(await sendRequest(path, `skip ${JSON.stringify(asked)}`, timeoutMs))
}

/** Requests that the server freeze or unfreeze an environment; `undefined` if no server is running. */
export async function requestFreeze(path: string, asked: FreezeRequest): Promise<ServerCode | undefined> {
  return parseServerCode(await sendRequest(path, `freeze ${JSON.stringify(asked)}`, timeoutMs))
}

/**
 * Requests that the server fetch code sources, without a time limit; `undefined` if no server is running. Throws
 * CONTROL_REFUSED.
 */
export async function requestFetch(
  path: string,
  asked: Partial<SourceFetchRequest>,
): Promise<SourceFetchReply | undefined> {
  const answer = await sendSlowRequest(path, `fetch ${JSON.stringify(asked)}`, () => {})
  if (answer === undefined) return undefined
  if (answer === null) throwIssue(issues.CONTROL_REFUSED, { why: 'it has no code sources' })
  return answer as SourceFetchReply
}

function parseServerCode(answer: unknown): ServerCode | undefined {
  if (answer === undefined) return undefined
  const { environments, repository, trouble, sources } = checkJsonObject(answer, 'the answer of the server')
  return {
    environments: checkJsonArray(environments, 'its environments') as readonly EnvironmentStatus[],
    repository: checkOptionalString(repository, 'its repository'),
    trouble: checkOptionalString(trouble, 'its trouble'),
    sources: sources === undefined ? undefined : (checkJsonObject(sources, 'its sources') as unknown as ServerSources),
  }
}

/** Sends a notification to the running server. Returns false if no server received it. Never throws. */
export async function sendNotification(path: string, what: 'pushed', told: Json): Promise<boolean> {
  const answer = await sendRequest(path, `${what} ${JSON.stringify(told)}`, tellMs).catch(() => undefined)
  return answer !== undefined
}

/**
 * Requests that the server test a push on nodes, and passes its progress lines to `tell`. Returns `undefined` if no
 * server is running or the server ends before its decision, `null` if the server serves another repository or does not
 * know enough nodes. Throws CONTROL_REFUSED.
 */
export async function requestGate(path: string, asked: GateRequest, tell: (line: string) => void): Promise<unknown> {
  return sendSlowRequest(path, `gate ${JSON.stringify(asked)}`, tell)
}

/**
 * Requests that the server resolve modules again, without a time limit. Returns `undefined` if no server is running,
 * `null` if the server ignores Puppetfiles. Throws CONTROL_REFUSED.
 */
export async function requestUpdate(
  path: string,
  asked: ModuleUpdateRequest,
  tell: (line: string) => void,
): Promise<unknown> {
  return sendSlowRequest(path, `update ${JSON.stringify(asked)}`, tell)
}

/**
 * Sends a slow request, and passes progress lines to `tell` until the reply arrives; `null` if the server does not
 * support the request.
 */
async function sendSlowRequest(path: string, request: string, tell: (line: string) => void): Promise<unknown> {
  const socket = await connect(path, true)
  if (!socket) return undefined
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.write(`${request}\n`)
  let rest = ''
  try {
    for await (const chunk of socket.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { said, answer, error } = checkJsonObject(JSON.parse(line), 'the answer of the server')
        if (typeof said === 'string' && said !== '') tell(said)
        // The server is an older version, or has no code sources or Puppetfiles.
        if (typeof error === 'string' && error.startsWith(unknownRequest)) return null
        if (typeof error === 'string') throwIssue(issues.CONTROL_REFUSED, { why: error })
        if (answer !== undefined) return answer
      }
    }
  } catch (error) {
    if (error instanceof PuppetError) throw error
  } finally {
    socket.destroy()
  }
  return undefined
}

async function sendRequest(path: string, request: string, withinMs: number): Promise<unknown> {
  const socket = await connect(path, true)
  if (!socket) return undefined
  socket.setTimeout(withinMs, () => socket.destroy(new Error('the server does not answer')))
  socket.end(`${request}\n`)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  const { answer, error } = checkJsonObject(JSON.parse(text), 'the answer of the server')
  if (typeof error === 'string') throwIssue(issues.CONTROL_REFUSED, { why: error })
  return answer
}

function handleConnection(socket: Socket, requests: ControlRequests): void {
  let text = ''
  // The socket allows half-open connections, so it must be closed if the client disconnects without a request.
  socket.once('end', () => void (text.endsWith('\n') || socket.destroy()))
  socket.setEncoding('utf8').on('data', async (chunk) => {
    text += chunk
    if (text.length > maxRequestLength) socket.destroy()
    if (!text.endsWith('\n')) return
    const asked = text.trim()
    const { gate, fetch, update } = requests
    if (asked.startsWith('gate ') && gate) return handleSlowRequest(socket, asked.slice('gate '.length), gate)
    if (asked.startsWith('fetch ') && fetch) return handleSlowRequest(socket, asked.slice('fetch '.length), fetch)
    if (asked.startsWith('update ') && update) return handleSlowRequest(socket, asked.slice('update '.length), update)
    socket.end(`${JSON.stringify(await handleRequest(text.trim(), requests))}\n`)
  })
}

/** Milliseconds between heartbeat lines, with which each side detects that the other side is gone. */
const heartbeatMs = 2000

/**
 * Runs a slow request, and sends its progress lines to the client. The signal is aborted when the client disconnects.
 */
async function handleSlowRequest(
  socket: Socket,
  text: string,
  work: NonNullable<ControlRequests['gate']>,
): Promise<void> {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const sendLine = (line: Json) => void (socket.writable && socket.write(`${JSON.stringify(line)}\n`))
  const heartbeat = setInterval(() => sendLine({ said: '' }), heartbeatMs)
  try {
    const answer = await work(JSON.parse(text), (said) => sendLine({ said }), gone.signal)
    sendLine({ answer })
  } catch (error) {
    sendLine({ error: formatError(error) })
  } finally {
    clearInterval(heartbeat)
    socket.end()
  }
}

async function handleRequest(line: string, requests: ControlRequests): Promise<Json> {
  const space = line.indexOf(' ')
  const request = space < 0 ? line : line.slice(0, space)
  if (request === 'pushed' && requests.pushed) return handleNotification(line.slice(space + 1), requests.pushed)
  if (request === 'skip' && requests.skip) return handleChange(line.slice(space + 1), requests.skip)
  if (request === 'freeze' && requests.freeze) return handleChange(line.slice(space + 1), requests.freeze)
  if (request !== 'status' && request !== 'refresh' && request !== 'reload')
    return { error: `${unknownRequest} '${request.slice(0, 100)}'` }
  try {
    return { answer: (await requests[request]()) as unknown as Json }
  } catch (error) {
    return { error: formatError(error) }
  }
}

async function handleChange(text: string, change: (asked: unknown) => Promise<ServerCode>): Promise<Json> {
  try {
    return { answer: (await change(JSON.parse(text))) as unknown as Json }
  } catch (error) {
    return { error: formatError(error) }
  }
}

function handleNotification(text: string, take: NonNullable<ControlRequests['pushed']>): Json {
  try {
    take(JSON.parse(text))
    return { answer: true }
  } catch (error) {
    return { error: formatError(error) }
  }
}

/**
 * Connects to a socket; `undefined` if no server listens. With `keep` false, the returned socket is closed: it only
 * proves that a server listens.
 */
function connect(path: string, keep = false): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ path, allowHalfOpen: true })
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      if (!keep) socket.destroy()
      resolve(socket)
    })
  })
}
