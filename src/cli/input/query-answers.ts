import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { loadInputs } from '../../network/outside/inputs-file.ts'
import { createOutsideClient } from '../../network/outside/outside-client.ts'
import { OutsideRequests } from '../../network/outside/outside-requests.ts'
import { createStoreClient } from '../../store/code-questions/store-client.ts'
import { parseStoreSetting } from '../../store/store-location.ts'
import { openQueryStore } from '../../store/store-settings.ts'
import type { ReadableStore } from '../../store/thread/store.ts'
import type { Io } from '../command/command.ts'
import type { MayHave } from '../command/options.ts'

/** Option with a file of recorded answers to the queries of the code. */
export const inputsOption = {
  flags: '--inputs <file>',
  doc: 'File of answers that --save-inputs recorded. These answers replace the results of puppetdb_query, generate, DNS and HTTP.',
} as const

/** Option that records the answers to the queries of one compilation. */
export const saveInputsOption = {
  flags: '--save-inputs <file>',
  doc: 'Record the answers of puppetdb_query, generate, DNS and HTTP in a file, for use with --inputs.',
} as const

type Options = MayHave<readonly [typeof inputsOption]>

/** Query functions for a catalog that is compiled in this thread, and a check after the compilation. */
export interface CatalogQueries extends Pick<CompileRequest, 'askStore' | 'askOutside' | 'inputs'> {
  /** Throws NO_ANSWER_IN_FILE if an answer was missing, even if the code caught the error. */
  requireAll(): void
}

/** Query functions for one catalog: recorded answers with `--inputs`, otherwise live queries. Throws UNREADABLE_INPUTS. */
export function createCatalogQueries({ inputs: file }: Options, settings: Settings): CatalogQueries {
  if (file === undefined) return { ...createLiveQueries(settings), requireAll() {} }
  const { answer: inputs, requireAll } = loadInputs(file)()
  return { inputs, requireAll }
}

/** Query functions as configured by the settings. Each store query is sent once, and its answer is cached. */
export function createLiveQueries(settings: Settings): Pick<CompileRequest, 'askStore' | 'askOutside'> {
  const askOutside = createOutsideClient(settings)
  if (parseStoreSetting(settings).kind === 'none') return { askOutside }
  const ask = createStoreClient(getStoreSettings(settings))
  const known = new Map<string, string>()
  const askStore = (question: string) => {
    const answer = known.get(question) ?? ask(question)
    known.set(question, answer)
    return answer
  }
  return { askStore, askOutside }
}

/** Sources of answers for catalogs compiled in worker threads: a file, or the store, DNS and HTTP. */
export interface FleetQuerySources {
  readonly inputs: string | undefined
  readonly store: ReadableStore | undefined
  readonly outside: OutsideRequests | undefined
}

/** Opens the sources of answers. Throws UNREADABLE_INPUTS, or an error if the store cannot be opened. */
export async function openFleetQuerySources(
  { inputs }: Options,
  settings: Settings,
  io: Io,
): Promise<FleetQuerySources> {
  if (inputs !== undefined) {
    loadInputs(inputs) // fails before anything is compiled
    // Only the versions of secrets are recorded; their values are read again.
    return { inputs, store: undefined, outside: new OutsideRequests(settings) }
  }
  const store = await openQueryStore(settings, (message) => io.err(`Warning: ${message}\n`))
  return { inputs, store, outside: new OutsideRequests(settings) }
}

/** Settings of the store as plain data, to be sent to another thread. */
function getStoreSettings(settings: Settings) {
  const { store, store_replicas, server_datadir, confdir, hostcert, hostprivkey, localcacert, hostcrl } = settings
  const { certificate_revocation, http_connect_timeout, http_keepalive_timeout } = settings
  return {
    ...{ store, store_replicas, server_datadir, confdir, hostcert, hostprivkey, localcacert, hostcrl },
    ...{ certificate_revocation, http_connect_timeout, http_keepalive_timeout },
  }
}
