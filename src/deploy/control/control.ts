import { chmod, mkdir, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import { type Json, list, optionalText, record } from '../../base/json/wire.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { PushedRef } from '../check.ts'
import type { AskedFetch, FetchAnswer } from '../sources/asked-fetch.ts'
import type { AskedFreeze } from '../sources/asked-freeze.ts'
import type { Frozen } from '../sources/frozen.ts'
import type { SourceStatus } from '../sources/source-status.ts'
import type { AskedSkip } from './push-record.ts'
import type { AskedUpdate } from './update-asked.ts'

/** A running server's account of its code. */
export interface ServerCode {
  readonly environments: readonly EnvironmentStatus[]
  /** The git directory that the server serves; `undefined` for folders. */
  readonly repository: string | undefined
  /** The reason why the server could not look for new code the last time. */
  readonly trouble: string | undefined
  /** The sources of its code; `undefined` without any. */
  readonly sources?: ServerSources | undefined
}

/** A running server's account of where its code comes from. */
export interface ServerSources {
  readonly sources: readonly SourceStatus[]
  readonly frozen: readonly Frozen[]
  /** The reason for which no environment moves; `null` when they do. */
  readonly writeLock: string | null
  /** Warnings about the file of sources. */
  readonly warnings: readonly string[]
}

/** Requests to a running server by those on its machine who may open its socket. */
export interface ControlRequests {
  /** The environments that are served. */
  status(): Promise<ServerCode>
  /** Looks for new code, and then says what is served. */
  refresh(): Promise<ServerCode>
  /** Reads everything again that others may have changed, and then says what is served. */
  reload(): Promise<ServerCode>
  /** Takes what the hooks tell of a push, as JSON. */
  pushed?(push: unknown): void
  /** Serves an environment's newest code although the gate has not let it pass, and then says what is served. */
  skip?(asked: unknown): Promise<ServerCode>
  /** Fetches from sources, as `AskedFetch` says; the answer is a `FetchAnswer`. */
  fetch?(asked: unknown): Promise<Json>
  /** Keeps an environment on its commit, or lets it go on, and then says what is served. */
  freeze?(asked: unknown): Promise<ServerCode>
  /** Looks at modules of Puppetfiles anew, as `AskedUpdate` says; the answer is an `UpdateAnswer`. */
  update?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
  /** Tries a push with nodes; `tell` hears lines for who waits, and `gone` is aborted when nobody does any more. */
  gate?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
}

/** A question to a server about a push. */
export interface AskedGate {
  /** The git directory. */
  readonly repository: string
  readonly pushed: readonly PushedRef[]
  /** The folder in which git keeps what is pushed until the hook agrees; `null` where all is in the repository. */
  readonly quarantine: string | null
}

/** A server's open socket. */
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

/** A request is a word, with JSON behind it where it tells something, an answer JSON; each a line. */
const maxRequestLength = 256 * 1024
/** Timeout for a hook's fire-and-forget notification. */
const tellMs = 5000
const timeoutMs = 60_000
/** Hooks of pushes under way, and some people. */
const connectionsAtOnce = 64

const unknownRequest = 'unknown request'

/** The path of a server's socket. */
export function controlPath({ rundir }: Pick<Settings, 'rundir'>): string {
  return join(rundir, 'control.sock')
}

/** Opens the socket, for ourselves alone. One that a server which is no more left behind is replaced. */
export async function serveControl(path: string, requests: ControlRequests): Promise<Control> {
  await mkdir(dirname(path), { recursive: true })
  if ((await connect(path)) !== undefined) fail(issues.CONTROL_IN_USE, { path })
  await rm(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.setTimeout(timeoutMs, () => socket.destroy())
    answerOne(socket, requests)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  // Such as EMFILE of an accept: without a listener it would end the process. Who asks is told by the end.
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

/** True where a server answers at a socket, and we may ask it. */
export async function answersAt(path: string): Promise<boolean> {
  return (await connect(path)) !== undefined
}

/** Asks a running server; `undefined` when there is none, or none that we may ask. */
export async function askControl(
  path: string,
  request: 'status' | 'refresh' | 'reload',
): Promise<ServerCode | undefined> {
  return codeFrom(await answerOf(path, request, timeoutMs))
}

/** Has a running server serve what its gate has not let pass; `undefined` when there is none. */
export async function askToSkip(path: string, asked: AskedSkip): Promise<ServerCode | undefined> {
  return codeFrom(await answerOf(path, `skip ${JSON.stringify(asked)}`, timeoutMs))
}

/** Has a running server freeze an environment, or let it go on; `undefined` when there is none. */
export async function askToFreeze(path: string, asked: AskedFreeze): Promise<ServerCode | undefined> {
  return codeFrom(await answerOf(path, `freeze ${JSON.stringify(asked)}`, timeoutMs))
}

/**
 * Has a running server fetch from sources, however long that takes; `undefined` when there is none. Throws CONTROL_REFUSED.
 */
export async function askToFetch(path: string, asked: Partial<AskedFetch>): Promise<FetchAnswer | undefined> {
  const answer = await longAnswer(path, `fetch ${JSON.stringify(asked)}`, () => {})
  if (answer === undefined) return undefined
  if (answer === null) fail(issues.CONTROL_REFUSED, { why: 'it has no code sources' })
  return answer as FetchAnswer
}

function codeFrom(answer: unknown): ServerCode | undefined {
  if (answer === undefined) return undefined
  const { environments, repository, trouble, sources } = record(answer, 'the answer of the server')
  return {
    environments: list(environments, 'its environments') as readonly EnvironmentStatus[],
    repository: optionalText(repository, 'its repository'),
    trouble: optionalText(trouble, 'its trouble'),
    sources: sources === undefined ? undefined : (record(sources, 'its sources') as unknown as ServerSources),
  }
}

/** Tells a running server something; whether there was one that took it. Never throws. */
export async function tellControl(path: string, what: 'pushed', told: Json): Promise<boolean> {
  const answer = await answerOf(path, `${what} ${JSON.stringify(told)}`, tellMs).catch(() => undefined)
  return answer !== undefined
}

/**
 * Has a running server try a push; its lines come as it goes on. `undefined` where no server answers, or where it ends
 * before it has decided; `null` where this is not its repository, or it knows too little of nodes. Throws CONTROL_REFUSED.
 */
export async function askGate(path: string, asked: AskedGate, tell: (line: string) => void): Promise<unknown> {
  return longAnswer(path, `gate ${JSON.stringify(asked)}`, tell)
}

/**
 * Has a running server look at modules anew, however long that takes; `undefined` when there is none, `null` of one that
 * reads no Puppetfile. Throws CONTROL_REFUSED.
 */
export async function askToUpdate(path: string, asked: AskedUpdate, tell: (line: string) => void): Promise<unknown> {
  return longAnswer(path, `update ${JSON.stringify(asked)}`, tell)
}

/** The answer to a request that takes long, whose lines come meanwhile; `null` of a server that does not know the request. */
async function longAnswer(path: string, request: string, tell: (line: string) => void): Promise<unknown> {
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
        const { said, answer, error } = record(JSON.parse(line), 'the answer of the server')
        if (typeof said === 'string' && said !== '') tell(said)
        // A server of before the gate, or one without sources or Puppetfiles.
        if (typeof error === 'string' && error.startsWith(unknownRequest)) return null
        if (typeof error === 'string') fail(issues.CONTROL_REFUSED, { why: error })
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

async function answerOf(path: string, request: string, withinMs: number): Promise<unknown> {
  const socket = await connect(path, true)
  if (!socket) return undefined
  socket.setTimeout(withinMs, () => socket.destroy(new Error('the server does not answer')))
  socket.end(`${request}\n`)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  const { answer, error } = record(JSON.parse(text), 'the answer of the server')
  if (typeof error === 'string') fail(issues.CONTROL_REFUSED, { why: error })
  return answer
}

function answerOne(socket: Socket, requests: ControlRequests): void {
  let text = ''
  // Half open, a socket would be held for one who left without having asked.
  socket.once('end', () => void (text.endsWith('\n') || socket.destroy()))
  socket.setEncoding('utf8').on('data', async (chunk) => {
    text += chunk
    if (text.length > maxRequestLength) socket.destroy()
    if (!text.endsWith('\n')) return
    const asked = text.trim()
    const { gate, fetch, update } = requests
    if (asked.startsWith('gate ') && gate) return answerSlowly(socket, asked.slice('gate '.length), gate)
    if (asked.startsWith('fetch ') && fetch) return answerSlowly(socket, asked.slice('fetch '.length), fetch)
    if (asked.startsWith('update ') && update) return answerSlowly(socket, asked.slice('update '.length), update)
    socket.end(`${JSON.stringify(await answerTo(text.trim(), requests))}\n`)
  })
}

/** Says something at least this often, so that both ends know of each other. */
const heartbeatMs = 2000

/** Does what takes long; who asked is told as it goes on, and `gone` is aborted when nobody listens any more. */
async function answerSlowly(socket: Socket, text: string, work: NonNullable<ControlRequests['gate']>): Promise<void> {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const say = (line: Json) => void (socket.writable && socket.write(`${JSON.stringify(line)}\n`))
  const heartbeat = setInterval(() => say({ said: '' }), heartbeatMs)
  try {
    const answer = await work(JSON.parse(text), (said) => say({ said }), gone.signal)
    say({ answer })
  } catch (error) {
    say({ error: errorText(error) })
  } finally {
    clearInterval(heartbeat)
    socket.end()
  }
}

async function answerTo(line: string, requests: ControlRequests): Promise<Json> {
  const space = line.indexOf(' ')
  const request = space < 0 ? line : line.slice(0, space)
  if (request === 'pushed' && requests.pushed) return told(line.slice(space + 1), requests.pushed)
  if (request === 'skip' && requests.skip) return changed(line.slice(space + 1), requests.skip)
  if (request === 'freeze' && requests.freeze) return changed(line.slice(space + 1), requests.freeze)
  if (request !== 'status' && request !== 'refresh' && request !== 'reload')
    return { error: `${unknownRequest} '${request.slice(0, 100)}'` }
  try {
    return { answer: (await requests[request]()) as unknown as Json }
  } catch (error) {
    return { error: errorText(error) }
  }
}

async function changed(text: string, change: (asked: unknown) => Promise<ServerCode>): Promise<Json> {
  try {
    return { answer: (await change(JSON.parse(text))) as unknown as Json }
  } catch (error) {
    return { error: errorText(error) }
  }
}

function told(text: string, take: NonNullable<ControlRequests['pushed']>): Json {
  try {
    take(JSON.parse(text))
    return { answer: true }
  } catch (error) {
    return { error: errorText(error) }
  }
}

/** A connection, or only whether there could be one. */
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
