import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { sourcedFiles } from '../../model/sourced-files.ts'
import { type CatalogSending, catalogPayload } from '../../store/commands/writing/catalog.ts'
import { inputsPayload, type LookedUp } from '../../store/commands/writing/node.ts'
import type { CompileResult } from '../request/compile-request.ts'
import type { AskedQuestion } from '../request/posted.ts'
import type { CatalogCommands } from './job.ts'

/** Returns the payloads of the commands that store a catalog. The result must come from a request with `wantsFull`. */
export function catalogCommands(
  { full, lookups: keys, catalog: { name: certname, catalogUuid } }: CompileResult,
  asked: readonly AskedQuestion[],
  sending: CatalogSending,
): CatalogCommands {
  const files = sourcedFiles(full!)
  const catalog = jsonBytes(catalogPayload(full!, sending, files && { sourced_files: files }))
  return { catalog, inputs: inputsOf({ certname, catalogUuid, keys, asked }, sending) }
}

/** Returns the payload of the command that stores the lookups and external queries of a compilation. */
export function inputsOf(
  lookedUp: Omit<LookedUp, 'producerTimestamp'>,
  { producerTimestamp }: CatalogSending,
): Uint8Array | undefined {
  const inputs = inputsPayload({ ...lookedUp, producerTimestamp })
  return inputs && jsonBytes(inputs)
}

/** Converts JSON to bytes in a separate buffer, which can be transferred to another thread. */
function jsonBytes(json: ExactJson): Uint8Array {
  return new TextEncoder().encode(printJson(json))
}
