import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkOptionalString, type Json } from '../../base/json/json-checks.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { PushedRef } from '../push-check.ts'
import type { Review } from '../review/merge-request-review.ts'
import type { SourceFetchReply, SourceFetchRequest } from '../sources/fetch-request.ts'
import type { FreezeRequest } from '../sources/freeze-request.ts'
import type { FrozenEnvironment } from '../sources/frozen-environments.ts'
import type { SourceStatus } from '../sources/source-status.ts'
import type { ModuleUpdateRequest } from './module-update-request.ts'
import type { SkipRequest } from './push-record.ts'
import type { RolloutRequest } from './rollout-request.ts'

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
  /** Fetches code sources. The request is a `SourceFetchRequest`, the reply a `SourceFetchReply`. */
  fetch?(asked: unknown): Promise<Json>
  /** Reviews a merge request; the reply is a `Review`. */
  review?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
  /** Freezes or unfreezes an environment, then returns the state of the served code. */
  freeze?(asked: unknown): Promise<ServerCode>
  /**
   * Starts, reads or stops a batch of runs. `action` is `start` with `request` and `person`, `read` with `id` and
   * `since`, or `stop` with `id` and `person`. The reply is `null` for an unknown batch.
   */
  run?(asked: unknown): Promise<Json>
  /** Returns the state of rollouts, after the step of a person if the `RolloutRequest` names one. */
  rollout?(asked: unknown): Promise<Json>
  /** Resolves modules of Puppetfiles again. The request is a `ModuleUpdateRequest`, the reply a `ModuleUpdateReply`. */
  update?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
  /**
   * Tests a push on nodes. `tell` sends a progress line to the client; `gone` is aborted when the client disconnects.
   */
  gate?(asked: unknown, tell: (line: string) => void, gone: AbortSignal): Promise<Json>
}

/** A request to a server to review a merge request. */
export interface ReviewRequest {
  readonly source: string
  /** The number of the merge request, or its newest commit. */
  readonly request: number | string
  /** False to compute the comment only. */
  readonly publish: boolean
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

const issues = defineIssues({
  CONTROL_REFUSED: { text: refusal, hint: ({ hint }: Refusal) => hint },
  /** Error if the server is an older version, or has no code sources or Puppetfiles. */
  CONTROL_UNKNOWN: { text: refusal },
  /** Error if the request exceeds the server's size limit. */
  CONTROL_TOO_LARGE: { text: refusal },
})

/** Issues by the HTTP status of a response; other statuses give CONTROL_REFUSED. */
const issuesByStatus = new Map([
  [404, issues.CONTROL_UNKNOWN],
  [413, issues.CONTROL_TOO_LARGE],
])

/** The reason why a server rejected a request, and its hint. */
interface Refusal {
  readonly why: string
  readonly hint?: string | undefined
}

function refusal({ why }: Refusal): string {
  return `The server rejected the request: ${why}`
}

const noAnswer = 'the server does not respond'
/** Timeout in milliseconds of a hook's notification, whose reply has no content. */
const tellMs = 5000

/** The path of a server's control socket. */
export function getControlPath({ rundir }: Pick<Settings, 'rundir'>): string {
  return join(rundir, 'control.sock')
}

/** True if a server listens at the path, and this user may connect. */
export function isServerListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Sends a request to the running server; `undefined` if no server is running or this user may not connect. */
export async function sendControlRequest(
  path: string,
  request: 'status' | 'refresh' | 'reload',
): Promise<ServerCode | undefined> {
  return parseServerCode(await sendRequest(path, request))
}

/** Requests that the server serve code that the gate rejected; `undefined` if no server is running. */
export async function requestGateSkip(path: string, asked: SkipRequest): Promise<ServerCode | undefined> {
  return parseServerCode(await sendRequest(path, 'skip', { asked }))
}

/** Requests that the server freeze or unfreeze an environment; `undefined` if no server is running. */
export async function requestFreeze(path: string, asked: FreezeRequest): Promise<ServerCode | undefined> {
  return parseServerCode(await sendRequest(path, 'freeze', { asked }))
}

/**
 * Requests that the server fetch code sources, without a time limit; `undefined` if no server is running. Throws
 * CONTROL_REFUSED.
 */
export async function requestFetch(
  path: string,
  asked: Partial<SourceFetchRequest>,
): Promise<SourceFetchReply | undefined> {
  const answer = await sendSlowRequest(path, 'fetch', { asked })
  if (answer === undefined) return undefined
  if (answer === null) throwIssue(issues.CONTROL_REFUSED, { why: 'the server has no code sources' })
  return answer as SourceFetchReply
}

/**
 * Requests that the server review a merge request, given by its number or its newest commit, without a time limit;
 * undefined if no server is running. Throws CONTROL_REFUSED.
 */
export async function requestReview(path: string, asked: ReviewRequest): Promise<Review | undefined> {
  const answer = await sendSlowRequest(path, 'review', { asked })
  if (answer === null) throwIssue(issues.CONTROL_REFUSED, { why: 'the server has no code sources' })
  return answer as Review | undefined
}

function parseServerCode(answer: unknown): ServerCode | undefined {
  if (answer === undefined) return undefined
  const { environments, repository, trouble, sources } = checkJsonObject(answer, 'the response of the server')
  return {
    environments: checkJsonArray(environments, 'environments') as readonly EnvironmentStatus[],
    repository: checkOptionalString(repository, 'repository'),
    trouble: checkOptionalString(trouble, 'error'),
    sources: sources === undefined ? undefined : (checkJsonObject(sources, 'sources') as unknown as ServerSources),
  }
}

/** Sends a notification to the running server. Returns false if no server received it. Never throws. */
export async function sendNotification(path: string, what: 'pushed', told: Json): Promise<boolean> {
  const answer = await sendRequest(path, what, { asked: told, idleMs: tellMs }).catch(() => undefined)
  return answer !== undefined
}

/**
 * Requests that the server test a push on nodes, and passes its progress lines to `tell`. Returns `undefined` if no
 * server is running, the server ends before its decision, or the push has too many refs for a request; `null` if the
 * server serves another repository or does not know enough nodes. Throws CONTROL_REFUSED.
 */
export async function requestGate(path: string, asked: GateRequest, tell: (line: string) => void): Promise<unknown> {
  try {
    return await sendSlowRequest(path, 'gate', { asked, tell })
  } catch (error) {
    if (isIssue(error, issues.CONTROL_TOO_LARGE)) return undefined
    throw error
  }
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
  return sendSlowRequest(path, 'update', { asked, tell })
}

/**
 * Starts, reads or stops a batch of runs. Returns `undefined` if no server is running, `null` if the batch is unknown.
 * Throws CONTROL_REFUSED.
 */
export async function requestRun(path: string, asked: Json): Promise<unknown> {
  return sendSlowRequest(path, 'run', { asked })
}

/**
 * Requests the state of rollouts, after the step of a person if the request names one. Returns `undefined` if no server
 * is running, and `null` if the server has no rollouts. Throws CONTROL_REFUSED.
 */
export async function requestRollout(path: string, asked: RolloutRequest): Promise<unknown> {
  return sendSlowRequest(path, 'rollout', { asked })
}

/** Parameters of a request. */
interface ControlCall {
  readonly asked?: unknown
  readonly idleMs?: number
  /** Called for each progress line. */
  tell?(line: string): void
}

/** Like `sendRequest`, but returns `undefined` also if the server ends before its reply; `null` if it does not support the request. */
async function sendSlowRequest(path: string, request: string, asked: ControlCall): Promise<unknown> {
  try {
    return await sendRequest(path, request, asked)
  } catch (error) {
    if (isIssue(error, issues.CONTROL_UNKNOWN)) return null
    if (error instanceof PuppetError) throw error
    return undefined
  }
}

/** Sends a request, and returns the reply; `undefined` if no server is running. A reply is lines of JSON. */
async function sendRequest(path: string, request: string, { asked, idleMs, tell }: ControlCall = {}): Promise<unknown> {
  const response = await postRequest(path, request, JSON.stringify(asked ?? {}), idleMs)
  if (!response) return undefined
  let rest = ''
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { said, answer, error, hint } = checkJsonObject(JSON.parse(line), 'the response of the server')
      if (typeof said === 'string' && said !== '') tell?.(said)
      if (typeof error === 'string')
        throwIssue(issuesByStatus.get(response.statusCode!) ?? issues.CONTROL_REFUSED, {
          why: error,
          hint: checkOptionalString(hint, 'hint'),
        })
      if (answer !== undefined) return answer
    }
  }
  throw new Error(noAnswer)
}

/** Sends a request; `undefined` if no server listens or this user may not connect. */
function postRequest(
  socketPath: string,
  request: string,
  body: string,
  timeout: number = budgets.connection.controlIdle.bound,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = httpRequest({ socketPath, method: 'POST', path: `/${request}`, headers, timeout, agent: false })
    sent.once('response', resolve)
    sent.once('timeout', () => sent.destroy(new Error(noAnswer)))
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.syscall === 'connect' ? resolve(undefined) : reject(error),
    )
    sent.end(body)
  })
}
