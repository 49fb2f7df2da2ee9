import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import type { CompileResult } from '../../compiler/request/compile-request.ts'
import { createCatalogCommands } from '../../compiler/workers/catalog-commands.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { CatalogWire } from '../../model/catalog.ts'
import { encodeCatalog } from '../../model/catalog-text.ts'
import { toFactsDocument } from '../../model/facts.ts'
import type { Report } from '../../model/report.ts'
import type { Session } from '../../network/client/session.ts'
import { computeAnswerDigest } from '../../network/outside/answer-cache.ts'
import { createCatalogFiles, jsonCatalogFormat, yamlCatalogFormat } from '../../node/agent/catalog/catalog-files.ts'
import { toRequestFacts } from '../../node/agent/catalog/request-catalog.ts'
import { formatErrorWithHint } from '../../node/agent/error-hints.ts'
import type { Log } from '../../node/agent/log.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { buildTrustedFacts } from '../../node/facts/trusted.ts'
import { buildFactsPayload } from '../../store/commands/writing/facts.ts'
import { processReport } from './report-processing.ts'
import { readMasterlessRoutes } from './routes.ts'
import { withStoreRecorder } from './store-recorder.ts'

/** Stores, files and servers that receive the data of a run without a server. */
export interface Destinations {
  /** True if catalogs are sent to a store, which requires the full compiler output. */
  readonly wantsFull: boolean
  /** Sends facts. Throws if the facts are rejected; the run then applies nothing. */
  facts(node: string, values: FactValues, environment: string): Promise<void>
  /** Sends the catalog. Throws if the catalog is rejected; the run does not apply a rejected catalog. */
  catalog(result: CompileResult): Promise<void>
  /** Sends the report. Logs failures instead of throwing, because the run is over. `libraries` are the `lib` folders of modules. */
  report(report: Report, libraries: readonly string[]): Promise<void>
}

/** Input of `openDestinations`. */
export interface DestinationParts {
  readonly settings: Settings
  readonly system: Pick<System, 'files' | 'now'>
  readonly log: Log
  /** Calls `work` with a session to the server. */
  withServer(work: (session: Session) => Promise<void>): Promise<void>
}

/** The destinations configured in routes.yaml and the settings. Throws INVALID_ROUTES. */
export async function openDestinations(parts: DestinationParts): Promise<Destinations> {
  const { settings, system, log, withServer } = parts
  const { files } = system
  const routes = await readMasterlessRoutes(settings, files)
  return {
    wantsFull: routes.catalog === 'puppetdb',

    async facts(name, values, environment) {
      if (routes.facts === 'rest') {
        const facts = toRequestFacts({ facts: values, nodeName: name, settings, system })
        return withServer((session) => session.puppet.facts(environment, facts))
      }
      if (routes.facts !== 'puppetdb') return
      const document = toFactsDocument({ name, values, timestamp: undefined, expiration: undefined })
      const trusted = buildTrustedFacts({ authenticated: 'local', certname: name })
      await withStoreRecorder('facts', parts, (recorder) => {
        const payload = buildFactsPayload({ name, values }, { environment, trusted, ...recorder.sending() })
        return recorder.recordFacts(document, Promise.resolve(Buffer.from(formatExactJson(payload))))
      })
    },

    async catalog(result) {
      const { catalog, exports } = result
      if (routes.catalog === 'json' || routes.catalog === 'yaml') {
        const isJson = routes.catalog === 'json'
        const folder = isJson ? settings.client_datadir : settings.clientyamldir
        const text = Buffer.from(encodeCatalog(catalog, { richData: true })).toString('utf8')
        const kept = createCatalogFiles(files, folder, isJson ? jsonCatalogFormat : yamlCatalogFormat)
        const wire = parseJson(text) as CatalogWire
        return kept.save({ wire, text, signature: undefined }, { key: catalog.name })
      }
      if (routes.catalog !== 'puppetdb') return
      const asked = Array.from(result.asked, ([question, answer]) => ({
        question,
        digest: computeAnswerDigest(answer),
      }))
      await withStoreRecorder('catalog', parts, (recorder) => {
        const sending = { transactionUuid: null, jobId: null, ...recorder.sending() }
        const { catalog: payload, inputs } = createCatalogCommands(result, asked, sending)
        return recorder.recordCatalog({ certname: catalog.name, payload, inputs, exports })
      })
    },

    async report(report, libraries) {
      if (!settings.report) return
      if (routes.report === 'processor') return processReport(report, { libraries, settings, files, log })
      await withServer(async ({ report: place }) => {
        await place.report(report.host, report.environment, report)
      }).catch((error: unknown) => log.err(`Could not send report: ${formatErrorWithHint(error)}`))
    },
  }
}
