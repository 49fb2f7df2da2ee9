import type { Diagnostic } from '../../base/issue.ts'
import { timeText } from '../../code/environments/file-serving.ts'
import { catalogBytes } from '../../model/catalog-text.ts'
import { uncommitted } from '../../model/recommitted.ts'
import { digestOf, keepAnswer } from '../../network/outside/kept-answers.ts'
import type { RubyShare } from '../../ruby/ruby-share.ts'
import type { CatalogSending } from '../../store/commands/writing/catalog.ts'
import { storedPart } from '../../store/commands/writing/catalog-pieces.ts'
import { compile } from '../compile.ts'
import type { Reads } from '../reads/reads.ts'
import type { KeptCatalog } from '../recall/kept-catalog.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { jobLog, serverWarning } from '../request/posted.ts'
import { catalogCommands } from './catalog-commands.ts'
import type { CatalogFormat, CompiledCatalog, JobLog } from './job.ts'

/** The requested form of a catalog. */
export interface CatalogWish {
  readonly format: CatalogFormat
  /** Set if the catalog must also be stored. */
  readonly sending?: CatalogSending | undefined
  /** True to return a compressed catalog if the catalog is recalled. */
  readonly gzip?: boolean | undefined
}

/** Options for compiling catalogs, which depend on the thread. */
export interface MakingOptions {
  readonly share: RubyShare | undefined
  /** The folder in which results of outside queries are stored; `undefined` to store none. */
  readonly answers: string | undefined
  /** True for code that is not served yet. */
  readonly unserved?: boolean | undefined
}

/**
 * A catalog, and the data that its trace stores. The data is undefined if the conversion to JSON lost types of values.
 */
export interface MadeCatalog {
  readonly catalog: CompiledCatalog
  readonly kept: KeptCatalog | undefined
}

/** Compiles a catalog; converts it to wire format, and to the format of the store. Throws CatalogError. */
export function makeCatalog(
  request: CompileRequest,
  { format, sending }: CatalogWish,
  { share, answers }: MakingOptions,
  reads?: Reads,
): MadeCatalog {
  const result = compile(request, share, reads)
  const { catalog, bytes, metadataAt, exports, collects, lookups } = result
  const { environment, codeId, catalogUuid } = catalog
  const lost: JobLog[] = []
  const asked = Array.from(result.asked, ([question, answer]) => ({ question, digest: kept(answer, answers, lost) }))
  const warn = ({ message }: Diagnostic) => {
    if (request.strict === 'warning') lost.push(serverWarning(message))
  }
  // With strict=error, a value that would lose its type is an error, as in Puppet 8.
  const options = { richData: format === 'rich', warn: request.strict === 'error' ? undefined : warn }
  const body = (options.richData ? bytes : undefined) ?? catalogBytes(catalog, options)
  const logs = [...result.logs.map(jobLog), ...lost]
  const commands = sending && catalogCommands(result, asked, sending)
  const made = { environment, exports, collects, asked, logs }
  const out: CompiledCatalog = { ...made, codeId, body, catalogUuid, commands, origin: 'compiled' }
  if (!reads || !options.richData || bytes === undefined) return { catalog: out, kept: undefined }
  const time = timeText(request.environment.tree.time)
  // The bytes are copied, since the body is transferred to another thread.
  const text = uncommitted(new Uint8Array(bytes), catalog, { metadataAt, time })
  return {
    catalog: out,
    kept: { ...made, text, lookups, stored: commands && storedPart(commands.catalog, catalog, sending) },
  }
}

/** Returns the digest of a result, and stores the result if a folder is configured. */
function kept(answer: string, answers: string | undefined, logs: JobLog[]): string {
  if (answers === undefined) return digestOf(answer)
  try {
    return keepAnswer(answers, answer, new Date())
  } catch (error) {
    logs.push(serverWarning(`An answer from outside was not kept: ${(error as Error).message}`))
    return digestOf(answer)
  }
}
