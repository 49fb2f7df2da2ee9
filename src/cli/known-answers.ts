import type { CompileRequest } from '../compiler/request/compile-request.ts'
import type { Settings } from '../settings/settings.ts'
import { answersFrom } from '../store/code-questions/answers-file.ts'
import { askFromHere } from '../store/code-questions/ask-from-here.ts'
import { storeToAsk } from '../store/from-settings.ts'
import type { ToAsk } from '../store/thread/store.ts'
import type { Io } from './command.ts'
import type { MayHave } from './options.ts'

/** For commands that compile: the answers to `puppetdb_query()`. */
export const answersOption = {
  flags: '--answers <file>',
  doc: "Answers to puppetdb_query(), as --save-answers writes them; without it the store of the setting 'store' is asked.",
} as const

/** For the compilation of one catalog. */
export const saveAnswersOption = {
  flags: '--save-answers <file>',
  doc: 'Where what puppetdb_query() asked and was answered is written, for --answers.',
} as const

type Options = MayHave<readonly [typeof answersOption]>

/** The answers for catalogs that are compiled in this thread: one question has one answer. Throws UNREADABLE_ANSWERS. */
export function asking({ answers }: Options, settings: Settings): Pick<CompileRequest, 'askStore'> {
  if (answers !== undefined) return { askStore: answersFrom(answers) }
  if (settings.store === 'none' || settings.store === '') return {}
  const ask = askFromHere(storeSettings(settings))
  const known = new Map<string, string>()
  return {
    askStore(question) {
      const answer = known.get(question) ?? ask(question)
      known.set(question, answer)
      return answer
    },
  }
}

/** The answers for many catalogs, which are compiled in threads. Throws UNREADABLE_ANSWERS, and why there is no store. */
export async function askedByMany({ answers }: Options, settings: Settings, io: Io): Promise<ToAsk | undefined> {
  if (answers === undefined) return storeToAsk(settings, (message) => io.err(`Warning: ${message}\n`))
  const ask = answersFrom(answers)
  return {
    async ask({ body = '' }) {
      const text = ask(body)
      return { status: 200, total: undefined, pieces: once(text) }
    },
    async close() {},
  }
}

async function* once(text: string): AsyncIterable<string> {
  yield text
}

/** Settings as plain data, which go to another thread. */
function storeSettings(settings: Settings) {
  const { store, server_datadir, confdir, hostcert, hostprivkey, localcacert, hostcrl } = settings
  const { certificate_revocation, http_connect_timeout, http_keepalive_timeout } = settings
  return {
    ...{ store, server_datadir, confdir, hostcert, hostprivkey, localcacert, hostcrl },
    ...{ certificate_revocation, http_connect_timeout, http_keepalive_timeout },
  }
}
