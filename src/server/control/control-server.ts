import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import Fastify, { type FastifyReply } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { type ControlRequests, isServerListening } from '../../deploy/control/control-socket.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

/** The open control socket of a server. */
export interface Control {
  close(): Promise<void>
}

const issues = defineIssues({
  CONTROL_IN_USE: {
    text: (a: { path: string }) => `Another server is running (${a.path})`,
    hint: () => 'Stop it, or set another rundir for this server.',
  },
})

const { control, controlBody, controlIdle } = budgets.connection

/** Limits of requests that may be larger than the others: a batch of runs has the names of its nodes. */
const bodyLimits: Readonly<Record<string, number>> = { run: budgets.order.request.bound }

/** Interval at which Node checks for incomplete requests, in milliseconds. */
const checkIntervalMs = 1000
/** Milliseconds between heartbeat lines, with which each side detects that the other side is gone. */
const heartbeatMs = 2000

/**
 * Opens the control socket with access for its owner only. Replaces the socket of a server that has ended. `idleMs`
 * limits the time for a whole request, and the time without data on a connection.
 */
export async function serveControl(
  path: string,
  requests: ControlRequests,
  { idleMs = controlIdle.bound }: { readonly idleMs?: number } = {},
): Promise<Control> {
  await mkdir(dirname(path), { recursive: true })
  if (await isServerListening(path)) throwIssue(issues.CONTROL_IN_USE, { path })
  await rm(path, { force: true })
  const http = Fastify({
    bodyLimit: controlBody.bound,
    connectionTimeout: idleMs,
    requestTimeout: idleMs,
    http: { headersTimeout: idleMs, connectionsCheckingInterval: checkIntervalMs },
    forceCloseConnections: true,
  })
  http.setNotFoundHandler(({ url }, reply) =>
    sendLine(reply.code(404), { error: `unknown request '${url.slice(1, 101)}'` }),
  )
  http.setErrorHandler((error, _, reply) => {
    const { statusCode = 500 } = error as { readonly statusCode?: number }
    const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
    return sendLine(reply.code(statusCode), { error: formatError(error), hint })
  })
  const { status, refresh, reload, pushed, skip, freeze, rollout, gate, fetch, update, review, run } = requests
  for (const [name, work] of Object.entries({ status, refresh, reload, pushed, skip, freeze, rollout }))
    if (work) http.post(`/${name}`, async ({ body }, reply) => sendLine(reply, { answer: (await work(body)) ?? true }))
  for (const [name, work] of Object.entries({ gate, fetch, update, review, run }))
    if (work)
      http.post(`/${name}`, { bodyLimit: bodyLimits[name] ?? controlBody.bound }, ({ body }, reply) =>
        streamAnswer(reply, async (tell, gone) => work(body, tell, gone)),
      )
  http.server.maxConnections = control.bound
  await http.listen({ path })
  // Without a listener, an error such as EMFILE in `accept` would end the process. The client sees a closed connection.
  http.server.on('error', () => {})
  await chmod(path, 0o600)
  http.server.unref()
  return { close: () => http.close() }
}

function sendLine(reply: FastifyReply, line: object): FastifyReply {
  return reply.type('application/x-ndjson').send(formatJsonLine(line))
}

function formatJsonLine(line: object): string {
  return `${JSON.stringify(line)}\n`
}

/**
 * Runs a slow request, and streams its progress lines and its reply to the client. The signal is aborted when the client
 * disconnects.
 */
function streamAnswer(
  reply: FastifyReply,
  work: (tell: (line: string) => void, gone: AbortSignal) => Promise<Json>,
): FastifyReply {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const lines = new PassThrough()
  const say = (line: object) => void (lines.writable && lines.write(formatJsonLine(line)))
  const heartbeat = setInterval(() => say({ said: '' }), heartbeatMs)
  void work((said) => say({ said }), gone.signal)
    .then((answer) => say({ answer }))
    .catch((error) => say({ error: formatError(error) }))
    .finally(() => {
      clearInterval(heartbeat)
      lines.end()
    })
  return reply.type('application/x-ndjson').send(lines)
}
