import { tracesFolder } from './kept-traces.ts'
import type { RecallOptions } from './recall.ts'

/** The settings that concern recalled catalogs. */
interface RecallSettings {
  readonly server_datadir: string
  readonly catalog_traces: boolean
  readonly catalog_trace_checks: number
}

/** The recalling of catalogs that the settings want. */
export function recallFrom(settings: RecallSettings, version: string): RecallOptions | undefined {
  if (!settings.catalog_traces) return undefined
  return { folder: tracesFolder(settings), checkEvery: settings.catalog_trace_checks, version }
}
