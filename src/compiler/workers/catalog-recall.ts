import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { formatTimeAsRuby } from '../../code/environments/file-serving.ts'
import { buildCommittedCatalog, type CatalogCommit, type UncommittedCatalog } from '../../model/commit-values.ts'
import { touchAnswers } from '../../network/outside/answer-cache.ts'
import { buildPayload } from '../../store/commands/writing/catalog-pieces.ts'
import type { Recall } from '../recall/catalog-recall.ts'
import type { TracedCatalog } from '../recall/traced-catalog.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { createServerWarning } from '../request/job-log.ts'
import { createInputsPayload } from './catalog-commands.ts'
import { type CatalogOutputOptions, type CompileThreadOptions, makeCatalog } from './catalog-compilation.ts'
import type { CompiledCatalog, JobLog } from './compile-job.ts'
import { compressCatalog } from './compressed-catalog.ts'

/** Body of a reply without catalog, or with a compressed catalog only. */
const nothing = new Uint8Array(0)

/**
 * Recalls the catalog if all inputs that its compilation read are unchanged; otherwise compiles the catalog and stores
 * a trace.
 */
export function recallOrCompile(
  request: CompileRequest,
  wish: CatalogOutputOptions,
  options: CompileThreadOptions,
  recall: Recall,
): CompiledCatalog {
  // Only rich catalogs are recalled, since traces contain the text in the rich format.
  if (wish.format !== 'rich') return makeCatalog(request, wish, options).catalog
  const found = tryOptionalWork(() => recall.find(request))
  const known = found.value && hasStoredAnswers(found.value, options) ? found.value : undefined
  if (known && !options.unserved) tryOptionalWork(() => recall.arrived(request, known))
  if (known && !recall.isToBeChecked()) return toCurrentCatalog(known, request, wish)
  return compileAndTrace(request, wish, options, { recall, known, warnings: found.warnings })
}

/** Compiles a catalog only to record a trace for the node's next request; discards the bytes of the catalog. */
export function compileTraceAhead(
  request: CompileRequest,
  wish: CatalogOutputOptions,
  options: CompileThreadOptions,
  recall: Recall,
): CompiledCatalog {
  const found = tryOptionalWork(() => recall.find(request))
  const known = found.value && hasStoredAnswers(found.value, options) ? found.value : undefined
  if (known) tryOptionalWork(() => recall.arrived(request, known))
  const catalog = known
    ? toCurrentCatalog(known, request, {})
    : compileAndTrace(request, wish, options, { recall, known: undefined, warnings: found.warnings })
  return { ...catalog, body: nothing, commands: undefined, exports: [], asked: [] }
}

interface Earlier {
  readonly recall: Recall
  /** A recalled catalog that is compiled again for comparison only. */
  readonly known: TracedCatalog | undefined
  readonly warnings: readonly JobLog[]
}

function compileAndTrace(
  request: CompileRequest,
  wish: CatalogOutputOptions,
  options: CompileThreadOptions,
  { recall, known, warnings }: Earlier,
): CompiledCatalog {
  const recording = tryOptionalWork(() => recall.record(request, options.unserved, options.giveWay)).value
  const { catalog, kept } = makeCatalog(request, wish, options, recording?.reads)
  const logs = [...catalog.logs, ...warnings]
  const wrong = known && recall.check(request, toCurrentCatalog(known, request, {}).body, catalog.body)
  if (wrong !== undefined) logs.push({ ...createServerWarning(wrong), level: 'err' })
  else if (kept) logs.push(...tryOptionalWork(() => recording?.keep(kept)).warnings)
  return { ...catalog, logs }
}

/**
 * Checks, without compiling, if the catalog is the same with the code in `other`. The reply is `recalled` if a trace
 * proves that all inputs of the compilation are equal with both codes; otherwise `unknown`. The reply has no body.
 */
export function checkSameCatalog(
  request: CompileRequest,
  other: CompileEnvironment,
  recall: Recall | undefined,
): CompiledCatalog {
  const found = tryOptionalWork(() => recall?.findSame(request, { ...request, environment: other })).value
  const unknown = { environment: request.environment.name, exports: [], collects: [], asked: [] }
  return {
    ...(found ?? unknown),
    codeId: request.environment.tree.codeId,
    ...{ body: nothing, catalogUuid: '', logs: [], origin: found ? 'recalled' : 'unknown' },
  }
}

/** Returns true if the results of the catalog's external queries are still stored. */
function hasStoredAnswers({ asked }: TracedCatalog, { answers }: CompileThreadOptions): boolean {
  const digests = asked.map(({ digest }) => digest)
  return answers === undefined || touchAnswers(answers, digests, new Date())
}

/** Runs optional work: a failure, such as a full disk, only adds a warning. */
function tryOptionalWork<Value>(work: () => Value): { readonly value?: Value; readonly warnings: readonly JobLog[] } {
  try {
    return { value: work(), warnings: [] }
  } catch (error) {
    return {
      warnings: [createServerWarning(`Could not recall a catalog or store its trace: ${(error as Error).message}`)],
    }
  }
}

/** Converts a recalled catalog to a reply for the current commit and request. */
function toCurrentCatalog(
  { text, stored, lookups: keys, ...kept }: TracedCatalog,
  { environment: { version, tree }, codeId: given, node: { name } }: CompileRequest,
  { sending, gzip }: Omit<CatalogOutputOptions, 'format'>,
): CompiledCatalog {
  const codeId = given ?? tree.codeId
  const commit = { version, codeId, time: formatTimeAsRuby(tree.time) }
  const sent = gzip ? compressCatalog(text, commit) : createUncompressedCatalog(text, commit)
  const { catalogUuid } = sent
  const fields = { version, codeId, catalogUuid, name, environment: kept.environment }
  const commands = sending &&
    stored && {
      catalog: buildPayload(stored, fields, sending),
      inputs: createInputsPayload({ certname: name, catalogUuid, keys, asked: kept.asked }, sending),
    }
  return { ...kept, codeId, body: nothing, ...sent, commands, origin: 'recalled' }
}

function createUncompressedCatalog(
  text: UncommittedCatalog,
  commit: CatalogCommit,
): Pick<CompiledCatalog, 'body' | 'catalogUuid'> {
  const { bytes, catalogUuid } = buildCommittedCatalog(text, commit)
  return { body: bytes, catalogUuid }
}
