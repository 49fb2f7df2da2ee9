import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { throwIssue } from '../../base/issue.ts'
import { isExactObject } from '../../base/json/exact-json.ts'
import { packError } from '../../base/threads/packed-error.ts'
import { PauseSwitch } from '../../base/threads/pause-switch.ts'
import { createBridgeCaller, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { lowerThreadPriority } from '../../base/threads/thread-priority.ts'
import { createSnapshotOpener } from '../../code/environments/environment-snapshot.ts'
import { createBridgedBlobReader } from '../../code/environments/git/blob-bridge.ts'
import { encryptCatalogSecrets } from '../../model/catalog-secrets.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { parseFactValues } from '../../model/facts.ts'
import { loadInputs } from '../../network/outside/inputs-file.ts'
import { installRubyRegexpEngine } from '../../ruby/regexp-engine.ts'
import { createWorkerShare } from '../../ruby/worker-share.ts'
import { codeQueryIssues as storeIssues } from '../../store/code-questions/issues.ts'
import { createBlockingQuery } from '../../store/code-questions/store-bridge.ts'
import { type FoundExports, parseFoundExports, replaceFoundExports } from '../../store/exports/found-exports.ts'
import { Recall } from '../recall/catalog-recall.ts'
import { CatalogError, toBareError } from '../request/catalog-error.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { createSharedGeneratorCache } from '../request/generator-cache.ts'
import { toJobLog } from '../request/job-log.ts'
import { makeCatalog } from './catalog-compilation.ts'
import { canPoliciesDiffer, findCatalogFaults } from './catalog-faults.ts'
import { checkSameCatalog, compileTraceAhead, recallOrCompile } from './catalog-recall.ts'
import type { CompiledCatalog, CompileJob, JobFailure, JobMessage, WorkerData, WorkerMessage } from './compile-job.ts'

lowerThreadPriority('working')
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
  pause: pausing,
} = workerData as WorkerData
const share = ruby && createWorkerShare(ruby)
installRubyRegexpEngine(share)
const { open } = createSnapshotOpener(blobs && createBridgedBlobReader(blobs))
const searchExports = exports && createExportSearch(exports)
const askStore = store && createBlockingQuery(store)
const askOutside = outside && createBridgeCaller<string, string>(outside)
const openInputs = file === undefined ? undefined : loadInputs(file)
const texts = generated && createSharedGeneratorCache(generated)
const recall = recalling && new Recall(recalling)
const pause = new PauseSwitch(pausing)

let settings: CompileJob['settings'] = {}

parentPort?.on('message', ({ id, job, settings: given }: JobMessage) => {
  settings = given ?? settings
  try {
    giveWay()
    const catalog = compileJobCatalog({ ...job, settings })
    const { body, commands } = catalog
    const bytes = [body.length > 0 ? body : undefined, commands?.catalog, commands?.inputs]
    postWorkerMessage({ kind: 'catalog', id, catalog }, bytes.flatMap((each) => each?.buffer ?? []) as ArrayBuffer[])
  } catch (error) {
    postWorkerMessage({ kind: 'failure', id, failure: toJobFailure(error) })
  }
})
postWorkerMessage({ kind: 'ready', thread: readThreadId() })

function compileJobCatalog({
  facts,
  format,
  sending,
  exported,
  gzip,
  trustedAmongFacts,
  deniesStore,
  secretsFor,
  purpose = { kind: 'serve' },
  ...rest
}: CompileJob): CompiledCatalog {
  const inputs = openInputs?.()
  const values = facts instanceof Uint8Array ? parseFactValues(facts) : facts
  const request: CompileRequest = {
    ...rest,
    facts: values,
    ...(trustedAmongFacts && { trusted: getTrustedData(values) }),
    environment: open(rest.environment),
    searchExports:
      searchExports && exported
        ? (search) => replaceFoundExports(searchExports(search), search, exported)
        : searchExports,
    askStore: deniesStore && askStore ? () => throwIssue(storeIssues.STORE_QUERIES_DENIED, {}) : askStore,
    askOutside,
    inputs: inputs?.answer,
    generated: texts,
    wantsFull: sending !== undefined,
  }
  // An encrypted catalog differs in each response, so that a compressed form cannot be reused.
  const wish = { format, sending, gzip: gzip && secretsFor === undefined }
  const options = { share, answers, unserved: purpose.kind === 'try' && !purpose.isServed, giveWay }
  if (purpose.kind === 'compare') {
    const other = open(purpose.other)
    return checkSameCatalog(request, other, canPoliciesDiffer(request.environment, other) ? undefined : recall)
  }
  const make = purpose.kind === 'trace' ? compileTraceAhead : recallOrCompile
  const plain = recall ? make(request, wish, options, recall) : makeCatalog(request, wish, options).catalog
  const catalog = secretsFor ? { ...plain, body: encryptCatalogSecrets(plain.body, secretsFor) } : plain
  if (!recall) inputs?.requireAll()
  const faultsAt = purpose.kind === 'try' ? purpose.faultsAt : undefined
  return faultsAt === undefined
    ? catalog
    : { ...catalog, faults: findCatalogFaults(catalog.body, request, new Date(faultsAt)) }
}

/** Blocks while the pool has paused this thread. The time limit of a running Ruby call excludes the pause. */
function giveWay(): void {
  if (!pause.isPaused) return
  const goOn = share?.watch?.pause()
  pause.wait()
  goOn?.()
}

/** Returns the trusted data stored in the fact `trusted`; empty if the fact is missing. */
function getTrustedData({ trusted }: CompileRequest['facts']): CompileRequest['trusted'] {
  return isExactObject(trusted ?? null) && !(trusted instanceof Map) ? (trusted as CompileRequest['trusted']) : {}
}

/** Returns a function that searches exported resources through the bridge, and parses results that arrive as text. */
function createExportSearch(bridge: ThreadBridge): (search: ExportSearch) => readonly ExportedResource[] {
  const ask = createBridgeCaller<ExportSearch, readonly ExportedResource[] | FoundExports>(bridge)
  return (search) => {
    const found = ask(search)
    return 'pieces' in found ? parseFoundExports(found) : found
  }
}

function toJobFailure(error: unknown): JobFailure {
  if (!(error instanceof CatalogError)) return { error: packError(error), logs: [] }
  return { error: packError(error), logs: error.logs.map(toJobLog), bare: toBareError(error) }
}

function postWorkerMessage(message: WorkerMessage, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transfer])
}

/** Returns the Linux thread id; `undefined` on other systems. */
function readThreadId(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}
