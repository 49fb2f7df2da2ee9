import { readFileSync } from 'node:fs'
import { createPuppetError, defineIssues, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { hasResponseStatus } from '../../network/client/errors.ts'
import { formatOrigin } from '../../network/client/server-choice.ts'
import type { Session } from '../../network/client/session.ts'
import { ensureAuthorities, ensureClientCertificate, withSession } from '../../node/agent/ssl/bootstrap.ts'
import { allowLag, type NodeStore } from '../../store/node-store.ts'
import { queryIssues } from '../../store/query/issues.ts'
import { openQueryStore } from '../../store/store-settings.ts'
import type { CommandInvocation } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { Option } from '../command/options.ts'
import { checkHostCertificate } from '../connection/host-certificate.ts'
import { createCommandLog } from '../connection/server-session.ts'

const issues = defineIssues({
  NO_STORE: {
    text: () => 'This machine has no store',
    hint: () => 'A server creates it at its start, unless store = none. Query another server with --server NAME.',
  },
  QUERY_REFUSED: {
    text: (a: { message: string; hint: string | undefined }) => a.message,
    hint: (a) => a.hint,
  },
  TOKEN_UNREADABLE: { text: (a: { file: string; why: string }) => `Could not read the token ${a.file}: ${a.why}` },
})

/** Options of commands that query a store. */
export const askOptions = [
  {
    flags: '--token-file <file>',
    doc: 'File with an access token for the server. Without a token, the certificate of this host is used.',
  },
] as const satisfies readonly Option[]

/** Maximum number of rows. */
export const limitOption = { flags: '--limit <number>', doc: 'Return at most N rows.' } as const satisfies Option

/** Number of rows to skip. */
export const offsetOption = { flags: '--offset <number>', doc: 'Skip the first N rows.' } as const satisfies Option

/** The store of this machine, or of a remote server. */
export type NodeQueryStore = Pick<NodeStore, 'ask'>

type AskInvocation = CommandInvocation<typeof askOptions>

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
    return withRemoteStore(invocation, (store) => work(addErrorHints(store)))
  const settings = loadSettings({ given, runMode: 'server' })
  const warn = (message: string) => printMessage('Warning', message, io)
  const store = (await openQueryStore(settings, warn)) ?? throwIssue(issues.NO_STORE, {})
  try {
    return await work(addErrorHints(allowLag(store)))
  } finally {
    await store.close()
  }
}

async function withRemoteStore<Result>(
  { options: asked, settings: given, io }: Pick<AskInvocation, 'options' | 'settings' | 'io'>,
  work: (store: NodeQueryStore) => Promise<Result>,
): Promise<Result> {
  const log = createCommandLog(io, asked)
  const token = asked.tokenFile === undefined ? undefined : readTokenFile(asked.tokenFile)
  const settings = loadSettings({ given, runMode: 'agent' })
  if (token === undefined) await checkHostCertificate(settings)
  const options = {
    settings,
    system: localSystem,
    puppetVersion,
    onetime: true,
    log: (level: keyof Omit<typeof log, 'write'>, message: string) => log[level](message),
    say: (text: string) => io.err(`${text}\n`),
  }
  const { tls } = await (token === undefined ? ensureClientCertificate(options) : ensureAuthorities(options))
  return withSession(options, tls, (session) => work(createRemoteStore(session, token)))
}

/** Reads a token from a file. Throws TOKEN_UNREADABLE. */
function readTokenFile(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]{1,4096}$/.test(token)
      ? token
      : throwIssue(issues.TOKEN_UNREADABLE, { file, why: 'it does not contain a token' })
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return throwIssue(issues.TOKEN_UNREADABLE, { file, why: formatErrorReason(error) })
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
