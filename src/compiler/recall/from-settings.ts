import { hkdfSync, randomBytes } from 'node:crypto'
import type { Files } from '../../machine/system/system.ts'
import { tracesFolder } from './kept-traces.ts'
import type { RecallOptions } from './recall.ts'

/** The settings that concern recalled catalogs. */
interface RecallSettings {
  readonly server_datadir: string
  readonly hostprivkey: string
  readonly catalog_traces: boolean
  readonly catalog_trace_checks: number
}

/**
 * The recalling of catalogs that the settings want. Traces are written under a key that follows from the server's private
 * key: who has the files alone reads none of their secrets. A server without that key has one for as long as it runs.
 */
export async function recallFrom(
  settings: RecallSettings,
  version: string,
  files: Pick<Files, 'readText'>,
): Promise<RecallOptions | undefined> {
  if (!settings.catalog_traces) return undefined
  const secret = await files.readText(settings.hostprivkey)
  const key = secret === undefined ? randomBytes(32) : hkdfSync('sha256', secret, '', 'traces of catalogs', 32)
  return {
    folder: tracesFolder(settings),
    checkEvery: settings.catalog_trace_checks,
    key: new Uint8Array(key),
    version,
  }
}
