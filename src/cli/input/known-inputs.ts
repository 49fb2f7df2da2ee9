import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { askOutsideFromHere } from '../../network/outside/ask-from-here.ts'
import { inputsFrom } from '../../network/outside/inputs-file.ts'
import { OutsideWorld } from '../../network/outside/outside-world.ts'
import { askFromHere } from '../../store/code-questions/ask-from-here.ts'
import { storeToAsk } from '../../store/from-settings.ts'
import { namedStore } from '../../store/named-store.ts'
import type { ToAsk } from '../../store/thread/store.ts'
import type { Io } from '../command/command.ts'
import type { MayHave } from '../command/options.ts'

/** For commands that compile: the answers to all that code asks outside. */
export const inputsOption = {
  flags: '--inputs <file>',
  doc: 'Answers to all that code asks outside (puppetdb_query, generate, DNS, HTTP), as --save-inputs writes them; nobody else is asked.',
} as const

/** For the compilation of one catalog. */
export const saveInputsOption = {
  flags: '--save-inputs <file>',
  doc: 'Where all that code asked outside and was answered is written, for --inputs.',
} as const

type Options = MayHave<readonly [typeof inputsOption]>

/** Ways outside for catalogs that are compiled in this thread, and a check once one is done. */
export interface Asking extends Pick<CompileRequest, 'askStore' | 'askOutside' | 'inputs'> {
  /** Throws NO_ANSWER_IN_FILE where an answer was missing, whatever code made of that. */
  requireAll(): void
}

/** The answers for one catalog that is compiled in this thread. Throws UNREADABLE_INPUTS. */
export function asking({ inputs: file }: Options, settings: Settings): Asking {
  if (file === undefined) return { ...ways(settings), requireAll() {} }
  const { answer: inputs, requireAll } = inputsFrom(file)()
  return { inputs, requireAll }
}

/** The ways outside that the settings give. The store answers a question once. */
export function ways(settings: Settings): Pick<CompileRequest, 'askStore' | 'askOutside'> {
  const askOutside = askOutsideFromHere(settings)
  if (namedStore(settings).kind === 'none') return { askOutside }
  const ask = askFromHere(storeSettings(settings))
  const known = new Map<string, string>()
  const askStore = (question: string) => {
    const answer = known.get(question) ?? ask(question)
    known.set(question, answer)
    return answer
  }
  return { askStore, askOutside }
}

/** Who answers catalogs that are compiled in threads: a file, or the store of the settings, DNS and HTTP. */
export interface AskedByMany {
  readonly inputs: string | undefined
  readonly store: ToAsk | undefined
  readonly outside: OutsideWorld | undefined
}

/** Throws UNREADABLE_INPUTS, and why there is no store. */
export async function askedByMany({ inputs }: Options, settings: Settings, io: Io): Promise<AskedByMany> {
  if (inputs !== undefined) {
    inputsFrom(inputs) // said before anything is compiled
    return { inputs, store: undefined, outside: undefined }
  }
  const store = await storeToAsk(settings, (message) => io.err(`Warning: ${message}\n`))
  return { inputs, store, outside: new OutsideWorld(settings) }
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
