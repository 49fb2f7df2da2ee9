import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import type { CatalogServices } from '../catalog/compiler.ts'
import { readCatalogText } from '../catalog/files.ts'
import type { CatalogDocument, CatalogRequest } from '../catalog/index.ts'
import { createCustomTerminus } from './custom-terminus.ts'
import { createFactsReaders } from './lazy-facts.ts'
import type { PlugIn } from './plug-in-files.ts'

const issues = defineIssues({
  PLUG_IN_CATALOG_FOREIGN: {
    text: (a: { path: string; key: string; name: string | undefined }) =>
      `The plug-in ${a.path} returned a catalog of ${a.name ?? 'no node'} for ${a.key}`,
  },
  PLUG_IN_CATALOG_LARGE: {
    text: (a: { path: string; most: number }) =>
      `The plug-in ${a.path} returned a catalog of more than ${a.most} bytes`,
  },
})

/**
 * Catalogs from a plug-in, as wire JSON in text or data. They are sent unchanged. Without an `origin` they do not
 * count as compiled, and no request is recorded for them.
 */
export function createCatalogTerminus(
  plugIn: PlugIn,
  doc: string,
  settings: object,
): TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest> {
  return {
    doc,
    create({ facts, readText }) {
      const { find, save, destroy } = createCustomTerminus<CatalogDocument, CatalogRequest>(
        plugIn,
        { settings },
        {
          read: (given, { key }) => toCatalogDocument(given, key, plugIn.path, readText),
          show: toPlugInCatalog,
          more: (request) => ({
            ...{ transaction_uuid: request.transactionUuid, job_id: request.jobId },
            ...createFactsReaders(request, facts),
          }),
        },
      )
      return {
        // A plug-in's catalog has no trace, so compiling ahead is useless.
        ...(find && { find: async (request) => (request.ahead ? undefined : find(request)) }),
        ...(save && { save }),
        ...(destroy && { destroy }),
      }
    },
  }
}

async function toCatalogDocument(
  given: unknown,
  key: string,
  path: string,
  readText: ReadText,
): Promise<CatalogDocument> {
  const body = toJsonBytes(given)
  const most = budgets.request.modelFile.bound
  if (body.length > most) throwIssue(issues.PLUG_IN_CATALOG_LARGE, { path, most })
  const { name, environment, codeId } = await readText('storedCatalog', body, '')
  if (name !== key) throwIssue(issues.PLUG_IN_CATALOG_FOREIGN, { path, key, name })
  return { environment, codeId, body }
}

/** Converts a plug-in's result to JSON bytes. The result may be bytes, text, data, or a catalog from `toPlugInCatalog`. */
function toJsonBytes(given: unknown): Uint8Array {
  const { bytes = given } = given as { readonly bytes?: unknown }
  if (bytes instanceof Uint8Array) return bytes
  return Buffer.from(typeof given === 'string' ? given : formatExactJson(given as ExactJson))
}

/** A catalog as passed to a plug-in; the JSON is parsed on demand. */
async function toPlugInCatalog(document: CatalogDocument): Promise<object> {
  // The bytes are copied, because the original is sent and the plug-in may change its copy.
  const bytes = new Uint8Array(await readCatalogText(document))
  return {
    ...{ environment: document.environment, code_id: document.codeId, bytes },
    json: () => parseJson(Buffer.from(bytes).toString('utf8')),
  }
}
