import type { Diagnostic } from '../../base/issue.ts'
import { formatTimeAsRuby } from '../../code/environments/file-serving.ts'
import { encodeCatalog } from '../../model/catalog-text.ts'
import { removeCommitValues } from '../../model/commit-values.ts'
import { computeAnswerDigest, saveAnswer } from '../../network/outside/answer-cache.ts'
import { readSecretVersion } from '../../network/outside/secrets/secret-question.ts'
import type { RubyShare } from '../../ruby/worker-share.ts'
import type { CatalogEnvelope } from '../../store/commands/writing/catalog.ts'
import { extractStoredPart } from '../../store/commands/writing/catalog-pieces.ts'
import { compile } from '../compile.ts'
import type { Reads } from '../reads/compilation-reads.ts'
import type { TracedCatalog } from '../recall/traced-catalog.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { createServerWarning, toJobLog } from '../request/job-log.ts'
import { createCatalogCommands } from './catalog-commands.ts'
import type { CatalogFormat, CompiledCatalog, JobLog } from './compile-job.ts'

/** The requested form of a catalog. */
export interface CatalogOutputOptions {
  readonly format: CatalogFormat
  /** Set if the catalog must also be stored. */
  readonly sending?: CatalogEnvelope | undefined
  /** True to return a compressed catalog if the catalog is recalled. */
  readonly gzip?: boolean | undefined
}

/** Options for compiling catalogs, which depend on the thread. */
export interface CompileThreadOptions {
  readonly share: RubyShare | undefined
  /** The folder in which results of outside queries are stored; `undefined` to store none. */
  readonly answers: string | undefined
  /** True for code that is not served yet. */
  readonly unserved?: boolean | undefined
  /** Blocks while the pool has paused the thread; called before each read of a recorded compilation. */
  readonly giveWay?: (() => void) | undefined
}

/**
 * A catalog, and the data to store in its trace. The data is undefined if the conversion to JSON lost types of
 * values.
 */
export interface TraceableCatalog {
  readonly catalog: CompiledCatalog
  readonly kept: TracedCatalog | undefined
}

/** Compiles a catalog; converts it to wire format, and to the format of the store. Throws CatalogError. */
export function makeCatalog(
  request: CompileRequest,
  { format, sending }: CatalogOutputOptions,
  { share, answers }: CompileThreadOptions,
  reads?: Reads,
): TraceableCatalog {
  const result = compile(request, share, reads)
  const { catalog, bytes, metadataAt, exports, collects, lookups, costs } = result
  const { environment, codeId, catalogUuid } = catalog
  const lost: JobLog[] = []
  const asked = Array.from(result.asked, ([question, answer]) => ({
    question,
    digest: storeAnswer(answer, answers, lost),
    version: readSecretVersion(question, answer),
  }))
  const warn = ({ message }: Diagnostic) => {
    if (request.strict === 'warning') lost.push(createServerWarning(message))
  }
  // With strict=error, a value that would lose its type is an error, as in Puppet 8.
  const options = { richData: format === 'rich', warn: request.strict === 'error' ? undefined : warn }
  const body = (options.richData ? bytes : undefined) ?? encodeCatalog(catalog, options)
  const logs = [...result.logs.map(toJobLog), ...lost]
  const commands = sending && createCatalogCommands(result, asked, sending)
  const made = { environment, exports, collects, asked, logs }
  const out: CompiledCatalog = { ...made, codeId, body, catalogUuid, commands, origin: 'compiled', costs }
  if (!reads || !options.richData || bytes === undefined) return { catalog: out, kept: undefined }
  const time = formatTimeAsRuby(request.environment.tree.time)
  // The bytes are copied, since the body is transferred to another thread.
  const text = removeCommitValues(new Uint8Array(bytes), catalog, { metadataAt, time })
  return {
    catalog: out,
    kept: { ...made, text, lookups, stored: commands && extractStoredPart(commands.catalog, catalog, sending) },
  }
}

/** Returns the digest of a result, and stores the result if a folder is configured. */
function storeAnswer(answer: string, answers: string | undefined, logs: JobLog[]): string {
  if (answers === undefined) return computeAnswerDigest(answer)
  try {
    return saveAnswer(answers, answer, new Date())
  } catch (error) {
    logs.push(createServerWarning(`Could not store an external answer: ${(error as Error).message}`))
    return computeAnswerDigest(answer)
  }
}
