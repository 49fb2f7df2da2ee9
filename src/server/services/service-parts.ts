import type { ExactJson } from '../../base/json/exact-json.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { FolderMounts } from '../../code/environments/mounts/folder-mounts.ts'
import type { JobLog } from '../../compiler/workers/compile-job.ts'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { IndirectionOptions } from '../../model/indirector/indirection.ts'
import type { IndirectionRoute } from '../../model/indirector/routes.ts'
import type { ReadText } from '../../model/model-readers.ts'
import type { ReceivedReport } from '../../model/report.ts'
import type { ServerStore } from '../../store/exports/export-settings.ts'
import type { ExportStore } from '../../store/exports/export-store.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import type { CatalogSeal } from '../sealing/catalog-seal.ts'
import type { PlugIns } from '../termini/plug-ins/plug-ins.ts'
import type { RemoteServices } from '../termini/remote-puppet.ts'

/** Log functions of the services. */
export interface ServiceLogs {
  /** Logs a manifest's message during the compilation of a node's catalog. */
  logCompile(entry: JobLog, node: string, requestId: string | undefined): void
  /** Logs a report's lines, for the report processor `log`. */
  logReport(level: string, message: string, report: ReceivedReport): void
  /** Logs messages of plug-ins in Ruby. */
  logPlugIn(level: string, message: string): void
  warn(message: string, error: unknown): void
}

/** Dependencies of the services. */
export interface ServiceParts extends ServiceLogs {
  readonly settings: Settings
  readonly system: Pick<System, 'files' | 'commands' | 'now'>
  readonly environments: Environments
  /** Folders served in addition to environments. */
  readonly mounts?: FolderMounts | undefined
  readonly pool: CompilePool
  /** The store of exported resources; undefined without storeconfigs. */
  readonly exports?: ExportStore | undefined
  /** The store and its recorder; undefined without a store. */
  readonly store?: ServerStore | undefined
  readonly seal: CatalogSeal
  readonly serverFacts: Readonly<Record<string, ExactJson>>
}

/** Dependencies shared by the indirections of a server. */
export interface IndirectionParts extends RemoteServices {
  readonly parts: ServiceParts
  readonly plugIns: PlugIns
  readonly common: IndirectionOptions
  readonly bodyReader: BodyReader
  /** Parses long texts on the body reader's thread. */
  readonly readText: ReadText
  /** Returns the termini in routes.yaml for an indirection, or the given termini by default. */
  route(name: string, terminus: string, cache?: string): IndirectionRoute
}
