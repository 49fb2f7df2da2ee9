import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Diagnostic } from '../../base/issue.ts'
import { packError } from '../../base/packed-error.ts'
import { askThrough } from '../../base/thread-bridge.ts'
import { standBack } from '../../base/thread-priority.ts'
import { snapshotOpener } from '../../environments/environment-snapshot.ts'
import { readThrough } from '../../environments/git/blob-bridge.ts'
import { catalogBytes } from '../../model/catalog-text.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { valuesOf } from '../../model/facts.ts'
import { useRubyForRegexps } from '../../ruby/regexp-engine.ts'
import { sharedRuby } from '../../ruby/ruby-share.ts'
import { compile } from '../compile.ts'
import { CatalogError } from '../request/catalog-error.ts'
import type { CompileLog } from '../request/compile-request.ts'
import { sharedGeneratedTexts } from '../request/generated-texts.ts'
import type { CompiledCatalog, CompileJob, JobFailure, JobLog, JobMessage, WorkerData, WorkerMessage } from './job.ts'

standBack('working')
// One thread of the pool: it compiles one job after the other and answers bytes that are ready for the wire.
const { blobs, exports, ruby, generated } = workerData as WorkerData
const share = ruby && sharedRuby(ruby)
useRubyForRegexps(share)
const { open } = snapshotOpener(blobs && readThrough(blobs))
const searchExports = exports && askThrough<ExportSearch, readonly ExportedResource[]>(exports)
const texts = generated && sharedGeneratedTexts(generated)

parentPort?.on('message', ({ id, job }: JobMessage) => {
  try {
    const catalog = compiled(job)
    say({ kind: 'catalog', id, catalog }, [catalog.body.buffer as ArrayBuffer])
  } catch (error) {
    say({ kind: 'failure', id, failure: failureOf(error) })
  }
})
say({ kind: 'ready', thread: threadNumber() })

function compiled({ environment, facts, format, ...request }: CompileJob): CompiledCatalog {
  const { catalog, bytes, logs, exports, collects } = compile(
    {
      ...request,
      facts: facts instanceof Uint8Array ? valuesOf(facts) : facts,
      environment: open(environment),
      searchExports,
      generated: texts,
    },
    share,
  )
  const lost: JobLog[] = []
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
    logs: [...logs.map(jobLog), ...lost],
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
