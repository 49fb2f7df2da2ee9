import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { listSourcedFiles } from '../../model/sourced-files.ts'
import { type CatalogEnvelope, encodeCatalogPayload } from '../../store/commands/writing/catalog.ts'
import { buildInputsPayload, type CatalogLookups } from '../../store/commands/writing/node.ts'
import type { CompileResult } from '../request/compile-request.ts'
import type { RecordedQuestion } from '../request/job-log.ts'
import type { CatalogCommands } from './compile-job.ts'

/** Returns the payloads of the commands that store a catalog. The result must come from a request with `wantsFull`. */
export function createCatalogCommands(
  { full, lookups: keys, catalog: { name: certname, catalogUuid } }: CompileResult,
  asked: readonly RecordedQuestion[],
  sending: CatalogEnvelope,
): CatalogCommands {
  const files = listSourcedFiles(full!)
  const catalog = encodeCatalogPayload(full!, sending, files && { sourced_files: files })
  return { catalog, inputs: createInputsPayload({ certname, catalogUuid, keys, asked }, sending) }
}

/** Returns the payload of the command that stores the lookups and external queries of a compilation. */
export function createInputsPayload(
  lookedUp: Omit<CatalogLookups, 'producerTimestamp'>,
  { producerTimestamp }: CatalogEnvelope,
): Uint8Array | undefined {
  const inputs = buildInputsPayload({ ...lookedUp, producerTimestamp })
  return inputs && toJsonBytes(inputs)
}

/** Converts JSON to bytes in a separate buffer, which can be transferred to another thread. */
function toJsonBytes(json: ExactJson): Uint8Array {
  return new TextEncoder().encode(formatExactJson(json))
}
