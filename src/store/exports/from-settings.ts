import { join } from 'node:path'
import { fail } from '../../base/issue.ts'
import { issues } from '../../indirector/issues.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Files } from '../../system/system.ts'
import type { ExportStore } from './export-store.ts'
import { JsonExports } from './json.ts'
import { memoryExports } from './memory.ts'

type ExportSettings = Pick<Settings, 'storeconfigs' | 'storeconfigs_backend' | 'server_datadir'>

const backends: Readonly<Record<string, (settings: ExportSettings, files: Files) => ExportStore>> = {
  json: (settings, files) => new JsonExports({ directory: exportsDirectory(settings), files }),
  memory: () => memoryExports(),
}

/** The folder of exports, a file for each node. */
export function exportsDirectory({ server_datadir }: Pick<Settings, 'server_datadir'>): string {
  return join(server_datadir, 'exports')
}

/** The store that the settings name; none without storeconfigs. Throws UNKNOWN_TERMINUS. */
export function exportsFrom(settings: ExportSettings, files: Files): ExportStore | undefined {
  const { storeconfigs, storeconfigs_backend: name } = settings
  if (!storeconfigs) return undefined
  const open = Object.hasOwn(backends, name) ? backends[name] : undefined
  if (!open) fail(issues.UNKNOWN_TERMINUS, { terminus: name, indirection: 'resource', known: Object.keys(backends) })
  return open(settings, files)
}
