import type { Environments } from '../../code/environments/environments.ts'
import type { CompiledCatalog, CompileJob } from '../../compiler/workers/compile-job.ts'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import type { FactsDocument } from '../../model/facts.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { Indirection } from '../../model/indirector/indirection.ts'
import type { Routes } from '../../model/indirector/routes.ts'
import type { PuppetNode } from '../../model/node.ts'
import type { ReceivedReport } from '../../model/report.ts'
import type { StoreRecorder } from '../../store/recording/recorder.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import type { ClassReader } from '../classes/class-reader.ts'
import type { CatalogSeal } from '../sealing/catalog-seal.ts'
import type { AdHocCode } from '../termini/catalog/ad-hoc-code.ts'
import type { JobCode } from '../termini/catalog/compiler.ts'
import type { CatalogDocument, CatalogRequest } from '../termini/catalog/index.ts'
import type { RequestedCatalog } from '../termini/catalog/requested-catalog.ts'
import type { VersionedCode } from '../termini/catalog/versioned-code.ts'
import type { FactsRequest } from '../termini/facts/index.ts'
import type { BucketFile, BucketRequest } from '../termini/file-bucket-file/index.ts'
import type { FileContent, FileContentRequest } from '../termini/file-content/index.ts'
import type { FileMetadataRequest } from '../termini/file-metadata/index.ts'
import type { NodeRequest } from '../termini/node/index.ts'
import type { PlugIns } from '../termini/plug-ins/plug-ins.ts'
import type { TransportReader } from '../transports/transport-reader.ts'
import type { AgentRequests } from './agent-requests.ts'

/** Services used by the routes. */
export interface Services {
  readonly environments: Environments
  readonly catalog: Indirection<CatalogDocument, CatalogRequest>
  readonly facts: Indirection<FactsDocument, FactsRequest>
  readonly node: Indirection<PuppetNode, NodeRequest>
  readonly report: Indirection<ReceivedReport>
  readonly fileMetadata: Indirection<FileMetadata, FileMetadataRequest>
  readonly fileContent: Indirection<FileContent, FileContentRequest>
  readonly fileBucketFile: Indirection<BucketFile, BucketRequest>
  readonly versionedCode: VersionedCode | undefined
  readonly pool: CompilePool
  readonly bodyReader: BodyReader
  readonly classReader: ClassReader
  readonly transportReader: TransportReader
  readonly kept: StoredModels
  /** Writer of the store; undefined without a store. */
  readonly recorder: StoreRecorder | undefined
  /** Signs catalog responses and records them in the audit log. */
  readonly seal: CatalogSeal
  /** Parameters of the nodes' last catalog requests. */
  readonly askings: AgentRequests
  /** Compiles a catalog of any node for a service. */
  requestedCatalog(asked: RequestedCatalog): Promise<CompiledCatalog>
  /** Compiles code that came with a request. */
  catalogOfCode(asked: AdHocCode): Promise<CompiledCatalog>
  /** Creates a compile job for a node's request, with code that may not be deployed. */
  jobInCode(request: CatalogRequest, code: JobCode): Promise<CompileJob | undefined>
  /** Plug-ins of the administrator. */
  readonly plugIns: Pick<PlugIns, 'indirections' | 'close'>
  /** Names of the report processors, sent to the agent. */
  readonly reportProcessors: readonly string[]
  /** Names of the indirections that use another server. */
  readonly asksOthers: ReadonlySet<string>
  /** Active routes of routes.yaml. */
  readonly routes: Routes
  /** Reads routes.yaml again. Throws INVALID_ROUTES. */
  readRoutes(): Promise<Routes>
}

/** Kinds of models that are stored in the store instead of in files. */
export interface StoredModels {
  readonly facts: boolean
  readonly exports: boolean
}
