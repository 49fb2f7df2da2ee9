import { join } from 'node:path'
import { fail } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { issues } from '../../model/indirector/issues.ts'
import type { NodeStore } from '../node-store.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { ExportStore } from './export-store.ts'
import { JsonExports } from './json.ts'
import { memoryExports } from './memory.ts'
import { StoredExports } from './stored.ts'

type ExportSettings = Pick<Settings, 'storeconfigs' | 'storeconfigs_backend' | 'server_datadir' | 'environment'>

/** The store of the server, and its recorder. */
export interface ServerStore {
  readonly store: NodeStore
  readonly recorder: Recorder
}

interface ExportParts {
  readonly settings: ExportSettings
  readonly files: Files
  readonly store: ServerStore | undefined
}

const backends: Readonly<Record<string, (parts: ExportParts) => ExportStore>> = {
  json: ({ settings, files }) => new JsonExports({ directory: exportsDirectory(settings), files }),
  memory: () => memoryExports(),
  puppetdb({ settings: { environment }, store }) {
    if (!store) fail(issues.TERMINUS_WITHOUT_STORE, { what: 'storeconfigs_backend' })
    return new StoredExports({ ...store, environment })
  },
}

/** The folder that contains the export files, one file for each node. */
export function exportsDirectory({ server_datadir }: Pick<Settings, 'server_datadir'>): string {
  return join(server_datadir, 'exports')
}

/**
 * Opens the configured export store; `undefined` without storeconfigs. Throws UNKNOWN_TERMINUS and
 * TERMINUS_WITHOUT_STORE.
 */
export function exportsFrom(parts: ExportParts): ExportStore | undefined {
  const { storeconfigs, storeconfigs_backend: name } = parts.settings
  if (!storeconfigs) return undefined
  const open = Object.hasOwn(backends, name) ? backends[name] : undefined
  if (!open) fail(issues.UNKNOWN_TERMINUS, { terminus: name, indirection: 'resource', known: Object.keys(backends) })
  return open(parts)
}
