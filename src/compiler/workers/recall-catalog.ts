import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { timeText } from '../../code/environments/file-serving.ts'
import { type CommitOfCatalog, recommitted, type UncommittedCatalog } from '../../model/recommitted.ts'
import { touchAnswers } from '../../network/outside/kept-answers.ts'
import { payloadAround } from '../../store/commands/writing/catalog-pieces.ts'
import type { KeptCatalog } from '../recall/kept-catalog.ts'
import type { Recall } from '../recall/recall.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { serverWarning } from '../request/posted.ts'
import { inputsOf } from './catalog-commands.ts'
import { compressedCatalog } from './compressed-catalog.ts'
import type { CompiledCatalog, JobLog } from './job.ts'
import { type CatalogWish, type MakingOptions, makeCatalog } from './make-catalog.ts'

/** The body of a catalog that has none, or that has it compressed. */
const nothing = new Uint8Array(0)

/** The catalog of an earlier compilation, where that read nothing that has changed; otherwise it is compiled, and its trace kept. */
export function recallCatalog(
  request: CompileRequest,
  wish: CatalogWish,
  options: MakingOptions,
  recall: Recall,
): CompiledCatalog {
  // Another format has another text for the same catalog.
  if (wish.format !== 'rich') return makeCatalog(request, wish, options).catalog
  const found = attempt(() => recall.find(request))
  const known = found.value && hasAnswers(found.value, options) ? found.value : undefined
  if (known && !options.unserved) attempt(() => recall.arrived(request, known))
  if (known && !recall.isToBeChecked()) return asOfNow(known, request, wish)
  return compileAnew(request, wish, options, { recall, known, warnings: found.warnings })
}

/** Compiles a catalog whose trace does not hold, for the next request to be recalled by; its bytes are nobody's. */
export function compileAhead(
  request: CompileRequest,
  wish: CatalogWish,
  options: MakingOptions,
  recall: Recall,
): CompiledCatalog {
  const found = attempt(() => recall.find(request))
  const known = found.value && hasAnswers(found.value, options) ? found.value : undefined
  if (known) attempt(() => recall.arrived(request, known))
  const catalog = known
    ? asOfNow(known, request, {})
    : compileAnew(request, wish, options, { recall, known: undefined, warnings: found.warnings })
  return { ...catalog, body: nothing, commands: undefined, exports: [], asked: [] }
}

interface Earlier {
  readonly recall: Recall
  /** The catalog that is compiled again only to be compared. */
  readonly known: KeptCatalog | undefined
  readonly warnings: readonly JobLog[]
}

function compileAnew(
  request: CompileRequest,
  wish: CatalogWish,
  options: MakingOptions,
  { recall, known, warnings }: Earlier,
): CompiledCatalog {
  const recording = attempt(() => recall.record(request, options.unserved)).value
  const { catalog, kept } = makeCatalog(request, wish, options, recording?.reads)
  const logs = [...catalog.logs, ...warnings]
  const wrong = known && recall.check(request, asOfNow(known, request, {}).body, catalog.body)
  if (wrong !== undefined) logs.push({ ...serverWarning(wrong), level: 'err' })
  else if (kept) logs.push(...attempt(() => recording?.keep(kept)).warnings)
  return { ...catalog, logs }
}

/**
 * Tells, without compiling, that a catalog is the same in other code: an earlier compilation, of the one or the other, read
 * only what is alike in both. The answer has no body; `unknown` where no trace tells.
 */
export function sameCatalog(
  request: CompileRequest,
  other: CompileEnvironment,
  recall: Recall | undefined,
): CompiledCatalog {
  const found = attempt(() => recall?.findSame(request, { ...request, environment: other })).value
  const unknown = { environment: request.environment.name, exports: [], collects: [], asked: [] }
  return {
    ...(found ?? unknown),
    codeId: request.environment.tree.codeId,
    ...{ body: nothing, catalogUuid: '', logs: [], origin: found ? 'recalled' : 'unknown' },
  }
}

/** True of a catalog whose answers from outside are there to make it again by. */
function hasAnswers({ asked }: KeptCatalog, { answers }: MakingOptions): boolean {
  const digests = asked.map(({ digest }) => digest)
  return answers === undefined || touchAnswers(answers, digests, new Date())
}

/** Does work without which catalogs are slower, and no worse: a full disk fails none. */
function attempt<Value>(work: () => Value): { readonly value?: Value; readonly warnings: readonly JobLog[] } {
  try {
    return { value: work(), warnings: [] }
  } catch (error) {
    return {
      warnings: [serverWarning(`A catalog could not be recalled, or its trace kept: ${(error as Error).message}`)],
    }
  }
}

/** A catalog of an earlier compilation, for the commit and the client of now. */
function asOfNow(
  { text, stored, lookups: keys, ...kept }: KeptCatalog,
  { environment: { version, tree }, codeId: given, node: { name } }: CompileRequest,
  { sending, gzip }: Omit<CatalogWish, 'format'>,
): CompiledCatalog {
  const codeId = given ?? tree.codeId
  const commit = { version, codeId, time: timeText(tree.time) }
  const sent = gzip ? compressedCatalog(text, commit) : plainCatalog(text, commit)
  const { catalogUuid } = sent
  const fields = { version, codeId, catalogUuid, name, environment: kept.environment }
  const commands = sending &&
    stored && {
      catalog: payloadAround(stored, fields, sending),
      inputs: inputsOf({ certname: name, catalogUuid, keys, asked: kept.asked }, sending),
    }
  return { ...kept, codeId, body: nothing, ...sent, commands, origin: 'recalled' }
}

function plainCatalog(
  text: UncommittedCatalog,
  commit: CommitOfCatalog,
): Pick<CompiledCatalog, 'body' | 'catalogUuid'> {
  const { bytes, catalogUuid } = recommitted(text, commit)
  return { body: bytes, catalogUuid }
}
