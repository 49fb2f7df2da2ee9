import { join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { indirectorIssues } from '../../model/indirector/issues.ts'
import type { NodeStore } from '../node-store.ts'
import type { StoreRecorder } from '../recording/recorder.ts'
import type { ExportStore } from './export-store.ts'
import { JsonExports } from './json-exports.ts'
import { createMemoryExports } from './memory-exports.ts'
import { StoredExports } from './stored-exports.ts'

type ExportSettings = Pick<Settings, 'storeconfigs' | 'storeconfigs_backend' | 'server_datadir' | 'environment'>

/** The store of the server, and its recorder. */
export interface ServerStore {
  readonly store: NodeStore
  readonly recorder: StoreRecorder
}

interface ExportParts {
  readonly settings: ExportSettings
  readonly files: Files
  readonly store: ServerStore | undefined
}

const backends: Readonly<Record<string, (parts: ExportParts) => ExportStore>> = {
  json: ({ settings, files }) => new JsonExports({ directory: getExportsDirectory(settings), files }),
  memory: () => createMemoryExports(),
  puppetdb({ settings: { environment }, store }) {
    if (!store) throwIssue(indirectorIssues.TERMINUS_WITHOUT_STORE, { what: 'storeconfigs_backend' })
    return new StoredExports({ ...store, environment })
  },
}

/** The folder that contains the export files, one file for each node. */
export function getExportsDirectory({ server_datadir }: Pick<Settings, 'server_datadir'>): string {
  return join(server_datadir, 'exports')
}

/**
 * Opens the configured export store; `undefined` without storeconfigs. Throws UNKNOWN_TERMINUS and
 * TERMINUS_WITHOUT_STORE.
 */
export function openExportStore(parts: ExportParts): ExportStore | undefined {
  const { storeconfigs, storeconfigs_backend: name } = parts.settings
  if (!storeconfigs) return undefined
  const open = Object.hasOwn(backends, name) ? backends[name] : undefined
  if (!open)
    throwIssue(indirectorIssues.UNKNOWN_TERMINUS, {
      terminus: name,
      indirection: 'resource',
      known: Object.keys(backends),
    })
  return open(parts)
}
