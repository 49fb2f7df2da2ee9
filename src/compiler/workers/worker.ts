import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { fail } from '../../base/issue.ts'
import { isExactObject } from '../../base/json/exact-json.ts'
import { packError } from '../../base/threads/packed-error.ts'
import { askThrough, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { standBack } from '../../base/threads/thread-priority.ts'
import { snapshotOpener } from '../../code/environments/environment-snapshot.ts'
import { readThrough } from '../../code/environments/git/blob-bridge.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { valuesOf } from '../../model/facts.ts'
import { inputsFrom } from '../../network/outside/inputs-file.ts'
import { useRubyForRegexps } from '../../ruby/regexp-engine.ts'
import { sharedRuby } from '../../ruby/ruby-share.ts'
import { issues as storeIssues } from '../../store/code-questions/issues.ts'
import { askStoreThrough } from '../../store/code-questions/store-bridge.ts'
import { type FoundExports, foundInstead, readFound } from '../../store/exports/found.ts'
import { Recall } from '../recall/recall.ts'
import { bareError, CatalogError } from '../request/catalog-error.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { sharedGeneratedTexts } from '../request/generated-texts.ts'
import { jobLog } from '../request/posted.ts'
import { faultsOf, mayFindOther } from './catalog-faults.ts'
import type { CompiledCatalog, CompileJob, JobFailure, JobMessage, WorkerData, WorkerMessage } from './job.ts'
import { makeCatalog } from './make-catalog.ts'
import { compileAhead, recallCatalog, sameCatalog } from './recall-catalog.ts'

standBack('working')
// A worker thread of the pool. It compiles one job at a time and returns the catalog as bytes in wire format.
const {
  blobs,
  exports,
  store,
  outside,
  answers,
  inputs: file,
  ruby,
  generated,
  recall: recalling,
} = workerData as WorkerData
const share = ruby && sharedRuby(ruby)
useRubyForRegexps(share)
const { open } = snapshotOpener(blobs && readThrough(blobs))
const searchExports = exports && exportsThrough(exports)
const askStore = store && askStoreThrough(store)
const askOutside = outside && askThrough<string, string>(outside)
const openInputs = file === undefined ? undefined : inputsFrom(file)
const texts = generated && sharedGeneratedTexts(generated)
const recall = recalling && new Recall(recalling)

let settings: CompileJob['settings'] = {}

parentPort?.on('message', ({ id, job, settings: given }: JobMessage) => {
  settings = given ?? settings
  try {
    const catalog = catalogOf({ ...job, settings })
    const { body, commands } = catalog
    const bytes = [body.length > 0 ? body : undefined, commands?.catalog, commands?.inputs]
    say({ kind: 'catalog', id, catalog }, bytes.flatMap((each) => each?.buffer ?? []) as ArrayBuffer[])
  } catch (error) {
    say({ kind: 'failure', id, failure: failureOf(error) })
  }
})
say({ kind: 'ready', thread: threadNumber() })

function catalogOf({
  facts,
  format,
  sending,
  exported,
  gzip,
  trustedAmongFacts,
  deniesStore,
  purpose = { kind: 'serve' },
  ...rest
}: CompileJob): CompiledCatalog {
  const inputs = openInputs?.()
  const values = facts instanceof Uint8Array ? valuesOf(facts) : facts
  const request: CompileRequest = {
    ...rest,
    facts: values,
    ...(trustedAmongFacts && { trusted: trustedAmong(values) }),
    environment: open(rest.environment),
    searchExports:
      searchExports && exported ? (search) => foundInstead(searchExports(search), search, exported) : searchExports,
    askStore: deniesStore && askStore ? () => fail(storeIssues.STORE_QUERIES_DENIED, {}) : askStore,
    askOutside,
    inputs: inputs?.answer,
    generated: texts,
    wantsFull: sending !== undefined,
  }
  const wish = { format, sending, gzip }
  const options = { share, answers, unserved: purpose.kind === 'try' && !purpose.isServed }
  if (purpose.kind === 'compare') {
    const other = open(purpose.other)
    return sameCatalog(request, other, mayFindOther(request.environment, other) ? undefined : recall)
  }
  const make = purpose.kind === 'trace' ? compileAhead : recallCatalog
  const catalog = recall ? make(request, wish, options, recall) : makeCatalog(request, wish, options).catalog
  if (!recall) inputs?.requireAll()
  const faultsAt = purpose.kind === 'try' ? purpose.faultsAt : undefined
  return faultsAt === undefined ? catalog : { ...catalog, faults: faultsOf(catalog.body, request, new Date(faultsAt)) }
}

/** Returns the trusted data stored in the fact `trusted`; empty if the fact is missing. */
function trustedAmong({ trusted }: CompileRequest['facts']): CompileRequest['trusted'] {
  return isExactObject(trusted ?? null) && !(trusted instanceof Map) ? (trusted as CompileRequest['trusted']) : {}
}

/** Returns a function that searches exported resources through the bridge, and parses results that arrive as text. */
function exportsThrough(bridge: ThreadBridge): (search: ExportSearch) => readonly ExportedResource[] {
  const ask = askThrough<ExportSearch, readonly ExportedResource[] | FoundExports>(bridge)
  return (search) => {
    const found = ask(search)
    return 'pieces' in found ? readFound(found) : found
  }
}

function failureOf(error: unknown): JobFailure {
  if (!(error instanceof CatalogError)) return { error: packError(error), logs: [] }
  return { error: packError(error), logs: error.logs.map(jobLog), bare: bareError(error) }
}

function say(message: WorkerMessage, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transfer])
}

/** Returns the Linux thread id; `undefined` on other systems. */
function threadNumber(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}
