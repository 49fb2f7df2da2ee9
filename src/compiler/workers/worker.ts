import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Diagnostic } from '../../base/issue.ts'
import { packError } from '../../base/packed-error.ts'
import { askThrough, type ThreadBridge } from '../../base/thread-bridge.ts'
import { standBack } from '../../base/thread-priority.ts'
import { snapshotOpener } from '../../environments/environment-snapshot.ts'
import { readThrough } from '../../environments/git/blob-bridge.ts'
import { catalogBytes } from '../../model/catalog-text.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { valuesOf } from '../../model/facts.ts'
import { useRubyForRegexps } from '../../ruby/regexp-engine.ts'
import { sharedRuby } from '../../ruby/ruby-share.ts'
import { digestOf, keepAnswer } from '../../store/code-questions/kept-answers.ts'
import { askStoreThrough } from '../../store/code-questions/store-bridge.ts'
import { type FoundExports, readFound } from '../../store/exports/found.ts'
import { compile } from '../compile.ts'
import { CatalogError } from '../request/catalog-error.ts'
import type { CompileLog } from '../request/compile-request.ts'
import { sharedGeneratedTexts } from '../request/generated-texts.ts'
import { catalogCommands } from './catalog-commands.ts'
import type { CompiledCatalog, CompileJob, JobFailure, JobLog, JobMessage, WorkerData, WorkerMessage } from './job.ts'

standBack('working')
// One thread of the pool: it compiles one job after the other and answers bytes that are ready for the wire.
const { blobs, exports, store, answers, ruby, generated } = workerData as WorkerData
const share = ruby && sharedRuby(ruby)
useRubyForRegexps(share)
const { open } = snapshotOpener(blobs && readThrough(blobs))
const searchExports = exports && exportsThrough(exports)
const askStore = store && askStoreThrough(store)
const texts = generated && sharedGeneratedTexts(generated)

parentPort?.on('message', ({ id, job }: JobMessage) => {
  try {
    const catalog = compiled(job)
    const { body, commands } = catalog
    const bytes = [body, commands?.catalog, commands?.inputs].flatMap((each) => each?.buffer ?? [])
    say({ kind: 'catalog', id, catalog }, bytes as ArrayBuffer[])
  } catch (error) {
    say({ kind: 'failure', id, failure: failureOf(error) })
  }
})
say({ kind: 'ready', thread: threadNumber() })

function compiled({ environment, facts, format, sending, ...request }: CompileJob): CompiledCatalog {
  const result = compile(
    {
      ...request,
      facts: facts instanceof Uint8Array ? valuesOf(facts) : facts,
      environment: open(environment),
      searchExports,
      askStore,
      generated: texts,
      wantsFull: sending !== undefined,
    },
    share,
  )
  const { catalog, bytes, logs, exports, collects } = result
  const lost: JobLog[] = []
  const asked = Array.from(result.asked, ([question, answer]) => ({ question, digest: kept(answer, lost) }))
  const warn = ({ message }: Diagnostic) => {
    if (request.strict === 'warning')
      lost.push({ level: 'warning', message, source: 'Puppet', file: undefined, line: undefined })
  }
  // With strict=error what would lose its type is an error: Puppet 8.
  const options = { richData: format === 'rich', warn: request.strict === 'error' ? undefined : warn }
  const body = (options.richData ? bytes : undefined) ?? catalogBytes(catalog, options)
  return {
    environment: catalog.environment,
    codeId: catalog.codeId,
    body,
    exports,
    collects,
    catalogUuid: catalog.catalogUuid,
    asked,
    logs: [...logs.map(jobLog), ...lost],
    commands: sending && catalogCommands(result, asked, sending),
  }
}

/** Asks for exported resources, and reads what comes as text. */
function exportsThrough(bridge: ThreadBridge): (search: ExportSearch) => readonly ExportedResource[] {
  const ask = askThrough<ExportSearch, readonly ExportedResource[] | FoundExports>(bridge)
  return (search) => {
    const found = ask(search)
    return 'pieces' in found ? readFound(found) : found
  }
}

/** The digest of an answer, which is kept by it where answers are. */
function kept(answer: string, logs: JobLog[]): string {
  if (answers === undefined) return digestOf(answer)
  try {
    return keepAnswer(answers, answer, new Date())
  } catch (error) {
    const message = `An answer of the store was not kept: ${(error as Error).message}`
    logs.push({ level: 'warning', message, source: 'Puppet', file: undefined, line: undefined })
    return digestOf(answer)
  }
}

function failureOf(error: unknown): JobFailure {
  return { error: packError(error), logs: error instanceof CatalogError ? error.logs.map(jobLog) : [] }
}

/** Without its diagnostic, which holds the text of the whole file. */
function jobLog({ level, message, source, file, line, once }: CompileLog): JobLog {
  return { level, message, source, file, line, once }
}

function say(message: WorkerMessage, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transfer])
}

/** Linux's number of this thread; `undefined` elsewhere. */
function threadNumber(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}
