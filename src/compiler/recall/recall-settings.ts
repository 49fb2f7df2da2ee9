import { hkdfSync, randomBytes } from 'node:crypto'
import type { Files } from '../../machine/system/system.ts'
import type { RecallOptions } from './catalog-recall.ts'
import { getTraceStoreFolder } from './stored-traces.ts'

/** Settings that configure the recall of catalogs. */
interface RecallSettings {
  readonly server_datadir: string
  readonly hostprivkey: string
  readonly catalog_traces: boolean
  readonly catalog_trace_checks: number
}

/**
 * Returns the options for recalling catalogs that the settings determine. Traces are encrypted with a key derived from
 * the server's private key, so that the files alone reveal no secrets. A server without a private key uses a random
 * key, which is valid until the server stops.
 */
export async function createRecallOptions(
  settings: RecallSettings,
  version: string,
  files: Pick<Files, 'readText'>,
): Promise<RecallOptions | undefined> {
  if (!settings.catalog_traces) return undefined
  const secret = await files.readText(settings.hostprivkey)
  const key = secret === undefined ? randomBytes(32) : hkdfSync('sha256', secret, '', 'traces of catalogs', 32)
  return {
    folder: getTraceStoreFolder(settings),
    checkEvery: settings.catalog_trace_checks,
    key: new Uint8Array(key),
    version,
  }
}
