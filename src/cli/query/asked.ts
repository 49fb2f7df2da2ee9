import { readFileSync } from 'node:fs'
import { defineIssues, errorOf, fail, isIssue, PuppetError } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { originOf } from '../../network/client/choose-server.ts'
import { hasStatus } from '../../network/client/errors.ts'
import type { Session } from '../../network/client/session.ts'
import { conversation, ensureAuthorities, ensureClientCertificate } from '../../node/agent/ssl/bootstrap.ts'
import { storeToAsk } from '../../store/from-settings.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { queryIssues } from '../../store/query/issues.ts'
import type { Invocation } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { say } from '../command/say.ts'
import { requireCertificate } from '../connection/own-certificate.ts'
import { commandLog } from '../connection/server-session.ts'

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
    doc: 'File with a token for the server. Default: authenticate with the certificate of this host.',
  },
] as const satisfies readonly Option[]

/** Maximum number of rows. */
export const limitOption = { flags: '--limit <number>', doc: 'Return at most N rows.' } as const satisfies Option

/** Number of rows to skip. */
export const offsetOption = { flags: '--offset <number>', doc: 'Skip the first N rows.' } as const satisfies Option

/** The store of this machine, or of a remote server. */
export type Asked = Pick<NodeStore, 'ask'>

type AskInvocation = Invocation<typeof askOptions>

/**
 * Calls `work` with the store of this machine, or with `--server` the store of another server. Adds hints to the errors
 * of rejected queries. Throws NO_STORE and QUERY_REFUSED.
 */
export async function withStore<Result>(
  invocation: Pick<AskInvocation, 'options' | 'settings' | 'io'>,
  work: (store: Asked) => Promise<Result>,
): Promise<Result> {
  const { settings: given, io } = invocation
  const explained = (store: Asked): Asked => ({ ask: (question) => store.ask(question).catch(explain) })
  if (given.server !== undefined || given.server_list !== undefined)
    return behindServer(invocation, (store) => work(explained(store)))
  const settings = loadSettings({ given, runMode: 'server' })
  const warn = (message: string) => say('Warning', message, io)
  const store = (await storeToAsk(settings, warn)) ?? fail(issues.NO_STORE, {})
  try {
    return await work(explained(store))
  } finally {
    await store.close()
  }
}

async function behindServer<Result>(
  { options: asked, settings: given, io }: Pick<AskInvocation, 'options' | 'settings' | 'io'>,
  work: (store: Asked) => Promise<Result>,
): Promise<Result> {
  const log = commandLog(io, asked)
  const token = asked.tokenFile === undefined ? undefined : tokenIn(asked.tokenFile)
  const settings = loadSettings({ given, runMode: 'agent' })
  if (token === undefined) await requireCertificate(settings)
  const options = {
    settings,
    system: localSystem,
    puppetVersion,
    onetime: true,
    log: (level: keyof Omit<typeof log, 'write'>, message: string) => log[level](message),
    say: (text: string) => io.err(`${text}\n`),
  }
  const { tls } = await (token === undefined ? ensureClientCertificate(options) : ensureAuthorities(options))
  return conversation(options, tls, (session) => work(remote(session, token)))
}

/** Throws TOKEN_UNREADABLE. */
function tokenIn(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]{1,4096}$/.test(token)
      ? token
      : fail(issues.TOKEN_UNREADABLE, { file, why: 'it does not contain a token' })
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return fail(issues.TOKEN_UNREADABLE, { file, why: reasonText(error) })
  }
}

function remote(session: Session, token: string | undefined): Asked {
  return {
    async ask({ method, path, search, body }) {
      const url = new URL(`/pdb/query/v4${path}${search === '' ? '' : `?${search}`}`, originOf(await session.server()))
      const headers = {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { 'x-authentication': token }),
      }
      try {
        const answer = await session.http.stream(url, { method, headers, ...(body !== undefined && { body }) })
        return { status: 200, total: undefined, pieces: textsOf(answer.body) }
      } catch (error) {
        if (hasStatus(error, 404)) return undefined
        throw error
      }
    },
  }
}

async function* textsOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

function explain(error: unknown): never {
  const own = isIssue(error, queryIssues.INVALID_QUERY) ? error.diagnostic.message : undefined
  const refused = hasStatus(error, 400) ? error.reason : own
  if (refused === undefined) throw error
  throw errorOf(issues.QUERY_REFUSED, { message: refused, hint: hintFor(refused) })
}

/** Texts in PuppetDB's errors that precede the valid names. */
const before = ['Known queryable objects are ', 'Acceptable fields are ', 'Supported columns are ']

/** Suggests a name, from an error that lists the valid names. */
function hintFor(message: string): string | undefined {
  const at = before.map((words) => message.indexOf(words)).find((place) => place !== -1)
  if (at === undefined) return undefined
  const quoted = (text: string) =>
    text
      .replaceAll("Can't", '')
      .split("'")
      .filter((_, part) => part % 2 === 1)
  const wrong = quoted(message.slice(0, at))
  const known = quoted(message.slice(at))
  for (const name of wrong) {
    const hint = known.includes(name) ? undefined : didYouMean(name, known)
    if (hint !== undefined) return hint
  }
  return undefined
}
