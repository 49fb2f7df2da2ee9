import { defineIssues, throwIssue } from '../../base/issue.ts'
import {
  checkJsonArray,
  checkJsonNumber,
  checkJsonObject,
  checkJsonString,
  type Json,
} from '../../base/json/json-checks.ts'
import { getControlPath, requestRun } from '../../deploy/control/control-socket.ts'
import { getPusher } from '../../deploy/pusher.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type OrderProgress, type OrderState, orderStates } from '../../model/orders/order-state.ts'
import { formatOrigin } from '../../network/client/server-choice.ts'
import type { Session } from '../../network/client/session.ts'
import type { CommandInvocation } from '../command/command.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'
import { type tokenOptions, withTokenSession } from '../connection/token-session.ts'

const issues = defineIssues({
  UNKNOWN_BATCH: {
    text: (a: { id: string }) => `The server does not know the batch ${a.id}`,
    hint: () => 'The server is an older version, or it was restarted without a store.',
  },
})

/** The error of a batch that the server does not know. */
export const unknownBatch = issues.UNKNOWN_BATCH

/** The request for a batch of runs, as the server expects it. */
export interface RunOrderRequest {
  readonly nodes: readonly string[]
  readonly query?: string
  readonly wave?: string
  readonly environment?: string
  readonly noop: boolean
  readonly tags: readonly string[]
  readonly at_once?: number
}

/** Progress of a batch: the number of orders by state, and the orders that changed. */
export interface RunProgress {
  readonly states: ReadonlyMap<OrderState, number>
  readonly orders: readonly OrderProgress[]
}

/** The server that a command orders runs of. */
export interface RunClient {
  /** Starts a batch, and returns its ID. */
  start(request: RunOrderRequest): Promise<string>
  /** Returns the orders of a batch that changed at or after a time. Throws UNKNOWN_BATCH. */
  read(id: string, since: number): Promise<RunProgress>
  /** Stops the orders that were not sent. */
  stop(id: string): Promise<void>
}

/**
 * Calls `work` with the server of this machine, through its control socket, or with `--server` another server. Throws
 * NO_RUNNING_SERVER.
 */
export function withRunClient<Result>(
  invocation: Pick<CommandInvocation<typeof tokenOptions>, 'options' | 'settings' | 'io'>,
  work: (client: RunClient) => Promise<Result>,
): Promise<Result> {
  const { settings: given } = invocation
  return given.server !== undefined || given.server_list !== undefined
    ? withTokenSession(invocation, (session, token) => work(createRemoteClient(session, token)))
    : work(createLocalClient(getControlPath(loadSettings({ given, runMode: 'server' }))))
}

function createLocalClient(path: string): RunClient {
  const person = getPusher(process.env)
  const ask = async (asked: Readonly<Record<string, Json | undefined>>) => {
    const answer = await requestRun(path, asked)
    return answer === undefined ? throwNoRunningServer(path) : answer
  }
  const askAbout = async (id: string, asked: Readonly<Record<string, Json | undefined>>) =>
    (await ask({ ...asked, id })) ?? throwIssue(issues.UNKNOWN_BATCH, { id })
  return {
    start: async (request) => parseStart(await ask({ action: 'start', person, request: { ...request } })),
    read: async (id, since) => parseProgress(await askAbout(id, { action: 'read', since })),
    stop: async (id) => void (await askAbout(id, { action: 'stop', person })),
  }
}

function createRemoteClient(session: Session, token: string | undefined): RunClient {
  const headers = { accept: 'application/json', ...(token !== undefined && { 'x-authentication': token }) }
  const runs = async (rest = '') => new URL(`/plumb/v1/runs${rest}`, formatOrigin(await session.server()))
  const send = async (url: URL, request: { method: 'GET' | 'POST' | 'DELETE'; body?: string; since?: number }) => {
    const { method, body, since } = request
    const type = body !== undefined && { 'content-type': 'application/json' }
    const answer = await session.http.send(url, {
      ...{ method, headers: { ...headers, ...type }, query: { since } },
      ...(body !== undefined && { body }),
    })
    return JSON.parse(answer.body.toString('utf8')) as unknown
  }
  return {
    start: async (request) => parseStart(await send(await runs(), { method: 'POST', body: JSON.stringify(request) })),
    read: async (id, since) => parseProgress(await send(await runs(`/${id}`), { method: 'GET', since })),
    stop: async (id) => void (await send(await runs(`/${id}`), { method: 'DELETE' })),
  }
}

function parseStart(answer: unknown): string {
  return checkJsonString(checkJsonObject(answer, 'the response of the server')['id'], 'id')
}

function parseProgress(answer: unknown): RunProgress {
  const { states, orders } = checkJsonObject(answer, 'the response of the server')
  const counts = checkJsonObject(states, 'states')
  return {
    states: new Map(
      orderStates.flatMap((state) =>
        counts[state] === undefined ? [] : [[state, checkJsonNumber(counts[state], state)]],
      ),
    ),
    orders: checkJsonArray(orders, 'orders') as readonly OrderProgress[],
  }
}
