import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson, ExactObject } from '../../../base/json/exact-json.ts'
import { mapCooperatively } from '../../../base/threads/cooperative-tasks.ts'
import { CompileError } from '../../../compiler/workers/compile-error.ts'
import type { CompiledCatalog, CompileJob } from '../../../compiler/workers/compile-job.ts'
import type { JobOptions } from '../../../compiler/workers/pool-options.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import { getNodeEnvironment } from '../request-environment.ts'
import { type CatalogServices, createCompileJob } from './compiler.ts'
import { catalogIssues } from './issues.ts'

/** A service's request for the catalog of any node. Puppet Server: server/compiler.rb. */
export interface RequestedCatalog {
  readonly certname: string
  readonly environment: string
  /** True to compile in the requested environment, regardless of the classifier. */
  readonly preferRequestedEnvironment: boolean
  /** Facts of the request; otherwise the stored facts, or none. */
  readonly facts: FactsDocument | undefined
  /**
   * Trusted facts of the request; if undefined, the trusted facts among the facts or stored with
   * them.
   */
  readonly trusted: ExactObject | undefined
  readonly persistence: { readonly facts: boolean; readonly catalog: boolean }
  readonly transactionUuid: string | undefined
  readonly jobId: string | undefined
  /** True to include debug messages in the logs. */
  readonly debug: boolean
  readonly asking: JobOptions
  /** Id of the HTTP request. */
  readonly requestId?: string | undefined
}

const noFacts: FactsDocument = {
  name: '',
  values: Buffer.from('{}'),
  timestamp: undefined,
  expiration: undefined,
}

/** Compiles the catalog. It is not static, contains exported resources, and has values in plain JSON. */
export async function compileRequestedCatalog(
  asked: RequestedCatalog,
  services: CatalogServices,
): Promise<CompiledCatalog> {
  const { certname: key, environment, persistence } = asked
  const found = asked.facts ?? (await services.facts.find({ key, environment, ignoreCache: true }))
  const facts = found ?? { ...noFacts, name: key }
  const trusted = (asked.trusted ?? found?.trusted) as Record<string, ExactJson> | undefined
  const node = await services.node.find({ key, environment, facts, ignoreCache: true })
  if (!node) return throwIssue(catalogIssues.UNKNOWN_NODE, { node: key })
  const name = asked.preferRequestedEnvironment ? environment : (node.environment ?? environment)
  const code = await getNodeEnvironment(services.environments, name, services.settings, key)
  if (persistence.facts) {
    await services.facts.save(facts, { key, environment, trusted: () => trusted ?? {} })
    await services.node.expire({ key })
  }
  const request = {
    ...{ key, environment, facts, node, code, static: false, checksumTypes: undefined, checkEnvironment: false },
    trusted: { authenticated: false as const, extensions: {} },
    ...{ rich: false, transactionUuid: asked.transactionUuid, jobId: asked.jobId },
  }
  const storesCatalogs = services.storesCatalogs && persistence.catalog
  const job = await createCompileJob(request, async () => trusted ?? {}, { ...services, storesCatalogs })
  const catalog = await runCompileJob(
    asked,
    { ...job, keepsExported: true, trustedAmongFacts: trusted === undefined },
    services,
  )
  if (persistence.catalog) await services.exports?.replace(key, catalog.exports)
  return catalog
}

/** Fields of a request that `runCompileJob` needs. */
type CompileRequester = Pick<RequestedCatalog, 'certname' | 'debug' | 'asking' | 'requestId'>

/** Runs a compile job and logs its messages, even if it fails. */
export async function runCompileJob(
  { certname, debug, asking, requestId }: CompileRequester,
  job: CompileJob,
  { pool, log }: Pick<CatalogServices, 'pool' | 'log'>,
): Promise<CompiledCatalog> {
  const logMessages = (logs: CompiledCatalog['logs']) =>
    mapCooperatively(logs, (entry) => log(entry, certname, requestId))
  try {
    const catalog = await pool.compile({ ...job, debug: debug || job.debug === true }, asking)
    await logMessages(catalog.logs)
    return catalog
  } catch (error) {
    if (error instanceof CompileError) await logMessages(error.logs)
    throw error
  }
}
