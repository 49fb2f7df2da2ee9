import { createDiagnostic, PuppetError, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { createGrowingLru } from '../../../base/lru-cache.ts'
import { mapCooperatively } from '../../../base/threads/cooperative-tasks.ts'
import { runInSpan } from '../../../base/tracing.ts'
import type { Environment, Environments } from '../../../code/environments/environments.ts'
import { resolveStaticScope, type StaticScope } from '../../../code/environments/static-catalog-files.ts'
import { CompileError } from '../../../compiler/workers/compile-error.ts'
import type { CompileJob, JobLog } from '../../../compiler/workers/compile-job.ts'
import type { CompilePool } from '../../../compiler/workers/compile-pool.ts'
import type { System } from '../../../machine/system/system.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Indirection } from '../../../model/indirector/indirection.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import type { PuppetNode } from '../../../model/node.ts'
import { buildTrustedFacts, readExternalTrustedData, type TrustedFacts } from '../../../node/facts/trusted.ts'
import type { CatalogEnvelope } from '../../../store/commands/writing/catalog.ts'
import type { ExportStore } from '../../../store/exports/export-store.ts'
import type { StoreRecorder } from '../../../store/recording/recorder.ts'
import type { FactsRequest } from '../facts/index.ts'
import type { NodeRequest } from '../node/index.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { findEnvironment, getNodeEnvironment } from '../request-environment.ts'
import type { StoreServices } from '../store-recorder.ts'
import { negotiateChecksum } from './checksum-type.ts'
import { createEmptyCatalog } from './empty-catalog.ts'
import type { CatalogDocument, CatalogRequest } from './index.ts'
import { catalogIssues } from './issues.ts'
import type { VersionedCode } from './versioned-code.ts'

/** Dependencies of the compiler, besides the code. */
export interface CatalogServices extends StoreServices, RemoteServices {
  readonly environments: Environments
  readonly facts: Indirection<FactsDocument, FactsRequest>
  readonly node: Indirection<PuppetNode, NodeRequest>
  readonly pool: CompilePool
  /** Store of exported resources, if separate from the catalogs. */
  readonly exports: ExportStore | undefined
  /** True if catalogs are saved in the store. */
  readonly storesCatalogs: boolean
  readonly system: Pick<System, 'files' | 'commands'>
  readonly readText: ReadText
  /** Values of `$server_facts`, without the environment. */
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  /** Variables in `$settings::`. */
  readonly publicSettings: Readonly<Record<string, string | number | boolean>>
  readonly settings: CatalogSettings
  /** Versions of directory environments, from the configured `versioned-code` programs. */
  readonly versionedCode: VersionedCode | undefined
  /** Logs messages of manifests, with the id of the request that compiled them. */
  log(entry: JobLog, node: string, requestId: string | undefined): void
}

interface CatalogSettings {
  readonly environment: string
  readonly environmentpath: readonly string[]
  readonly server_datadir: string
  readonly yamldir: string
  readonly static_catalogs: boolean
  readonly static_catalogs_scope: StaticScope | 'auto'
  readonly rich_data: boolean
  readonly strict: 'off' | 'warning' | 'error'
  readonly strict_variables: boolean
  readonly log_level: string
  readonly trusted_external_command: string
  readonly node_terminus: string
  readonly eyaml_keydirs: readonly string[]
  readonly generators: readonly string[]
  readonly external_folders: readonly string[]
}

/** Compiles the catalog with the code of the node's environment. protocol.md 3. */
export const compiler: TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  doc: 'Compiles the manifests of the environment.',
  create(services) {
    const said = createGrowingLru<true>(10_000)
    const logOnce: CatalogServices['log'] = (entry, node, requestId) => {
      if (entry.once && said.has(entry.message)) return
      if (entry.once) said.set(entry.message, true)
      services.log(entry, node, requestId)
    }
    return {
      find: (request) =>
        request.ahead
          ? compileWithLastFacts(request, services)
          : compileAndSaveFacts(request, { ...services, log: logOnce }),
    }
  },
}

async function compileAndSaveFacts(request: CatalogRequest, services: CatalogServices): Promise<CatalogDocument> {
  const { key, facts } = request
  if (facts && facts.name !== key) throwIssue(catalogIssues.WRONG_NODE_FACTS, { node: key, name: facts.name })
  const trustedData = createLazyCall(() => readTrustedFacts(request, services))
  const saving = saveFacts(request, trustedData, services)
  // Classifiers and trusted-data programs may read the saved facts, as in Puppet.
  const { node_terminus, trusted_external_command } = services.settings
  if (node_terminus === 'exec' || trusted_external_command !== '') await saving
  // Saving the facts waits for the disk, so the catalog is compiled at the same time. Both must
  // finish.
  const [saved, made] = await Promise.allSettled([saving, compileCatalog(request, trustedData, services)])
  if (saved.status === 'rejected') throw saved.reason
  if (made.status === 'rejected') throw made.reason
  return made.value
}

/**
 * Compiles the catalog that the node would get with its last facts; `undefined` if there are no facts. Nothing is
 * logged or stored.
 */
async function compileWithLastFacts(
  request: CatalogRequest,
  services: CatalogServices,
): Promise<CatalogDocument | undefined> {
  const { key, environment } = request
  const facts = request.facts ?? (await services.facts.find({ key, environment }))
  if (!facts) return undefined
  const trustedData = createLazyCall(() => readTrustedFacts(request, services))
  return compileCatalog({ ...request, facts }, trustedData, { ...services, exports: undefined, log: () => {} })
}

async function compileCatalog(
  request: CatalogRequest,
  trustedData: () => Promise<TrustedFacts>,
  services: CatalogServices,
): Promise<CatalogDocument> {
  const { node, environment } = await classifyNode(request, services)
  const { name } = environment
  if (request.checkEnvironment && name !== request.environment) return createEmptyCatalog(node.name, name)
  try {
    const job = await createCompileJob({ ...request, node, code: environment }, trustedData, services)
    const attributes = { 'plumb.node': node.name, 'plumb.environment': name, 'plumb.code_id': job.codeId ?? '' }
    const catalog = await runInSpan('compile catalog', attributes, async (span) => {
      const made = await services.pool.compile(job, request.asking)
      span.setAttribute('plumb.catalog', made.origin)
      return made
    })
    await mapCooperatively(catalog.logs, (entry) => services.log(entry, node.name, request.requestId))
    await services.exports?.replace(node.name, catalog.exports)
    return catalog
  } catch (error) {
    if (error instanceof CompileError)
      await mapCooperatively(error.logs, (entry) => services.log(entry, node.name, request.requestId))
    throw error
  }
}

/** Parts of an environment that a compile job needs. */
export type JobCode = Pick<Environment, 'name' | 'codeId' | 'snapshot' | 'settings'>

/**
 * Creates a compile job for code that is perhaps not deployed, with the node's last facts; `undefined` if there are
 * no facts. Nothing is stored.
 */
export async function createCodeJob(
  request: CatalogRequest,
  code: JobCode,
  services: CatalogServices,
): Promise<CompileJob | undefined> {
  const { key, node, environment = '' } = request
  const facts = request.facts ?? (await services.facts.find({ key, environment }))
  if (!facts) return undefined
  const found = await services.node.find({ key, node, environment, facts, ignoreCache: true })
  if (!found) return throwIssue(catalogIssues.UNKNOWN_NODE, { node: key })
  const readTrustedData = () => readTrustedFacts(request, services)
  return createCompileJob({ ...request, facts, node: found, code }, readTrustedData, {
    ...services,
    storesCatalogs: false,
  })
}

/** Creates the compile job of a request, for a node that is already classified. */
export async function createCompileJob(
  { node, code, ...request }: Omit<CatalogRequest, 'node'> & { readonly node: PuppetNode; readonly code: JobCode },
  trustedData: () => Promise<CompileJob['trusted']>,
  services: CatalogServices,
): Promise<CompileJob> {
  const { name } = code
  const { storesCatalogs, store, settings } = services
  const codeId = code.codeId ?? (await services.versionedCode?.codeId(name))
  return {
    node: { ...node, environment: name, facts: undefined },
    facts: await findFactValues(request, services),
    trusted: await trustedData(),
    serverFacts: { ...services.serverFacts, environment: name },
    environment: code.snapshot,
    codeId,
    staticChecksum: codeId === undefined ? undefined : selectStaticChecksum(request, code, services),
    staticScope: resolveStaticScope(settings.static_catalogs_scope, code.codeId),
    keyFolders: settings.eyaml_keydirs,
    generators: settings.generators,
    externalFolders: settings.external_folders,
    debug: settings.log_level === 'debug',
    settings: services.publicSettings,
    strict: settings.strict,
    strictVariables: settings.strict_variables,
    format: request.rich && settings.rich_data && code.settings.richData ? 'rich' : 'plain',
    ...(storesCatalogs && store && { sending: toCatalogSending(request, store.recorder) }),
    ...(request.ahead && { purpose: { kind: 'trace' } }),
    ...(request.gzip && { gzip: true }),
    ...(request.secretsFor && { secretsFor: request.secretsFor }),
  }
}

/** Data sent to the store with the catalog. */
function toCatalogSending(
  { transactionUuid, jobId }: Pick<CatalogRequest, 'transactionUuid' | 'jobId'>,
  recorder: StoreRecorder,
): CatalogEnvelope {
  return { transactionUuid: transactionUuid ?? null, jobId: jobId ?? null, ...recorder.sending() }
}

async function saveFacts(
  { key, node, environment, facts }: CatalogRequest,
  trustedData: () => Promise<TrustedFacts>,
  services: CatalogServices,
): Promise<void> {
  if (!facts) return
  await runInSpan('save facts', { 'plumb.node': key }, () =>
    services.facts.save(facts, { key, node, environment, trusted: trustedData }),
  )
  // Puppet: node/facts.rb, NodeExpirer. The cached classification was based on other facts.
  await services.node.expire({ key })
}

async function findFactValues(
  { key, environment, facts }: Pick<CatalogRequest, 'key' | 'environment' | 'facts'>,
  services: CatalogServices,
) {
  return (facts ?? (await services.facts.find({ key, environment })))?.values ?? {}
}

/**
 * Classifies the node. The environment is the classifier's choice, otherwise the requested environment if it exists,
 * otherwise the environment in the server's settings, as in Puppet. Only this environment must exist, so that a node
 * that requests a deleted environment receives the name of its correct environment.
 */
async function classifyNode(
  request: CatalogRequest,
  { node: nodes, environments, settings }: CatalogServices,
): Promise<{ readonly node: PuppetNode; readonly environment: Environment }> {
  const { key, node, environment: asked = '', facts, ahead } = request
  // A request with facts expires the cached classification in `saveFacts`. Compiling ahead saves no facts, so it
  // ignores the cache.
  const found = await nodes
    .find({ key, node, environment: asked, facts, ignoreCache: ahead })
    .catch((error) => throwSearchFailure(key, error))
  if (!found) return throwIssue(catalogIssues.UNKNOWN_NODE, { node: key })
  // Compiling ahead uses the served commit, so that its catalogs are ready when the node's wave starts.
  const certname = ahead ? undefined : key
  const requested = await findEnvironment(environments, asked, certname)
  const name = found.environment ?? (requested ? asked : settings.environment)
  if (requested && name === asked) return { node: found, environment: requested }
  const environment = getNodeEnvironment(environments, name, settings, certname)
  return {
    node: found,
    environment: await (name === asked ? environment : environment.catch((error) => throwSearchFailure(key, error))),
  }
}

function throwSearchFailure(node: string, error: unknown): never {
  if (!(error instanceof PuppetError)) throw error
  const { message: reason, hint } = { ...error.diagnostic, message: error.message }
  throw new PuppetError(createDiagnostic(catalogIssues.NODE_SEARCH_FAILED, { node, reason, hint }), { cause: error })
}

function selectStaticChecksum(
  request: Pick<CatalogRequest, 'static' | 'checksumTypes'>,
  environment: Pick<Environment, 'settings'>,
  { settings }: CatalogServices,
): string | undefined {
  const wanted = request.static && settings.static_catalogs && environment.settings.staticCatalogs
  return wanted ? negotiateChecksum(request.checksumTypes) : undefined
}

/**
 * Returns a function that calls `ask` at its first call only. The trusted-data program may read facts, so it must run
 * after they are saved.
 */
function createLazyCall<Value>(ask: () => Value): () => Value {
  let asked: { readonly value: Value } | undefined
  return () => {
    asked ??= { value: ask() }
    return asked.value
  }
}

/**
 * Returns the trusted facts of the client, which may be another machine than the catalog's node. Puppet:
 * network/http/api/indirected_routes.rb.
 */
async function readTrustedFacts(
  { node = '', trusted }: CatalogRequest,
  { settings, system }: CatalogServices,
): Promise<TrustedFacts> {
  const command = settings.trusted_external_command
  const external = command === '' ? {} : await readExternalTrustedData(command, node, system)
  return buildTrustedFacts({ ...trusted, certname: node }, external)
}
