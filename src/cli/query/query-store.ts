import { createPuppetError, defineIssues, isIssue, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { hasResponseStatus } from '../../network/client/errors.ts'
import { formatOrigin } from '../../network/client/server-choice.ts'
import type { Session } from '../../network/client/session.ts'
import { allowLag, type NodeStore } from '../../store/node-store.ts'
import { queryIssues } from '../../store/query/issues.ts'
import { openQueryStore } from '../../store/store-settings.ts'
import type { CommandInvocation } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { Option } from '../command/options.ts'
import { type tokenOptions, withTokenSession } from '../connection/token-session.ts'

const issues = defineIssues({
  NO_STORE: {
    text: () => 'This machine has no store',
    hint: () => 'A server creates it at its start, unless store = none. Query another server with --server NAME.',
  },
  QUERY_REFUSED: {
    text: (a: { message: string; hint: string | undefined }) => a.message,
    hint: (a) => a.hint,
  },
})

/** Maximum number of rows. */
export const limitOption = { flags: '--limit <number>', doc: 'Return at most N rows.' } as const satisfies Option

/** Number of rows to skip. */
export const offsetOption = { flags: '--offset <number>', doc: 'Skip the first N rows.' } as const satisfies Option

/** The store of this machine, or of a remote server. */
export type NodeQueryStore = Pick<NodeStore, 'ask'>

type AskInvocation = CommandInvocation<typeof tokenOptions>

/**
 * Calls `work` with the store of this machine, or with `--server` the store of another server. Adds hints to the errors
 * of rejected queries. Throws NO_STORE and QUERY_REFUSED.
 */
export async function withQueryStore<Result>(
  invocation: Pick<AskInvocation, 'options' | 'settings' | 'io'>,
  work: (store: NodeQueryStore) => Promise<Result>,
): Promise<Result> {
  const { settings: given, io } = invocation
  const addErrorHints = (store: NodeQueryStore): NodeQueryStore => ({
    ask: (question) => store.ask(question).catch(rethrowWithHint),
  })
  if (given.server !== undefined || given.server_list !== undefined)
    return withTokenSession(invocation, (session, token) => work(addErrorHints(createRemoteStore(session, token))))
  const settings = loadSettings({ given, runMode: 'server' })
  const warn = (message: string) => printMessage('Warning', message, io)
  const store = (await openQueryStore(settings, warn)) ?? throwIssue(issues.NO_STORE, {})
  try {
    return await work(addErrorHints(allowLag(store)))
  } finally {
    await store.close()
  }
}

function createRemoteStore(session: Session, token: string | undefined): NodeQueryStore {
  return {
    async ask({ method, path, search, body }) {
      const url = new URL(
        `/pdb/query/v4${path}${search === '' ? '' : `?${search}`}`,
        formatOrigin(await session.server()),
      )
      const headers = {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { 'x-authentication': token }),
      }
      try {
        const answer = await session.http.stream(url, { method, headers, ...(body !== undefined && { body }) })
        return { status: 200, total: undefined, pieces: decodeTextChunks(answer.body) }
      } catch (error) {
        if (hasResponseStatus(error, 404)) return undefined
        throw error
      }
    },
  }
}

async function* decodeTextChunks(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

function rethrowWithHint(error: unknown): never {
  const own = isIssue(error, queryIssues.INVALID_QUERY) ? error.diagnostic.message : undefined
  const refused = hasResponseStatus(error, 400) ? error.reason : own
  if (refused === undefined) throw error
  throw createPuppetError(issues.QUERY_REFUSED, { message: refused, hint: suggestName(refused) })
}

/** Texts in PuppetDB's errors that precede the valid names. */
const before = ['Known queryable objects are ', 'Acceptable fields are ', 'Supported columns are ']

/** Suggests a name, from an error that lists the valid names. */
function suggestName(message: string): string | undefined {
  const at = before.map((words) => message.indexOf(words)).find((place) => place !== -1)
  if (at === undefined) return undefined
  const listQuotedNames = (text: string) =>
    text
      .replaceAll("Can't", '')
      .split("'")
      .filter((_, part) => part % 2 === 1)
  const wrong = listQuotedNames(message.slice(0, at))
  const known = listQuotedNames(message.slice(at))
  for (const name of wrong) {
    const hint = known.includes(name) ? undefined : formatSuggestion(name, known)
    if (hint !== undefined) return hint
  }
  return undefined
}
