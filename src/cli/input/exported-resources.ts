import { resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { withDirectStore } from '../../store/direct-store.ts'
import { getExportsDirectory } from '../../store/exports/export-settings.ts'
import { readExports } from '../../store/exports/json-exports.ts'
import { ExportTable } from '../../store/exports/memory-exports.ts'
import { readStoredExports } from '../../store/exports/stored-exports.ts'
import type { MayHave } from '../command/options.ts'

const issues = defineIssues({
  NO_EXPORTS: {
    text: (a: { folder: string }) => `Could not read exported resources from ${a.folder}: it is not a directory`,
    hint: () => "Name the directory 'exports' in the server_datadir of a server with storeconfigs.",
  },
})

/** Option for the exported resources with which catalogs are compiled. */
export const exportsOption = {
  flags: '--exports <folder>',
  doc: 'Directory of exported resources, in the format of a server with storeconfigs. The command does not change them.',
} as const

/** The part of a compile request that searches exported resources. */
export function toExportSearch(exports: ExportTable | undefined): Pick<CompileRequest, 'searchExports'> {
  return { searchExports: exports && ((search) => exports.search(search)) }
}

/** Reads exported resources from `--exports`, or from the server's store with storeconfigs; otherwise `undefined`. */
export async function readExportedResources(
  { options }: { readonly options: MayHave<readonly [typeof exportsOption]> },
  settings: Settings,
): Promise<ExportTable | undefined> {
  const { files } = localSystem
  if (options.exports === undefined) {
    if (!settings.storeconfigs) return undefined
    if (settings.storeconfigs_backend !== 'puppetdb')
      return readExports({ directory: getExportsDirectory(settings), files })
    return (await withDirectStore(settings, 'ask', readStoredExports)) ?? new ExportTable()
  }
  const directory = resolve(options.exports)
  if ((await files.list(directory)) === undefined) throwIssue(issues.NO_EXPORTS, { folder: directory })
  return readExports({ directory, files })
}
