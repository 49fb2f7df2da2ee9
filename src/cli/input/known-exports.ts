import { resolve } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { withStoreBeside } from '../../store/beside.ts'
import { exportsDirectory } from '../../store/exports/from-settings.ts'
import { readExports } from '../../store/exports/json.ts'
import { ExportTable } from '../../store/exports/memory.ts'
import { readStoredExports } from '../../store/exports/stored.ts'
import type { MayHave } from '../command/options.ts'

const issues = defineIssues({
  NO_EXPORTS: {
    text: (a: { folder: string }) => `Could not read exported resources from ${a.folder}: it is no folder`,
    hint: () => "A server keeps them in the folder 'exports' of its server_datadir.",
  },
})

/** For commands that compile: where what nodes export is. */
export const exportsOption = {
  flags: '--exports <folder>',
  doc: 'What nodes export, as a server with storeconfigs keeps it, to be collected; it is only read.',
} as const

/** The search for exported resources of a compile request, when there are exports. */
export function searching(exports: ExportTable | undefined): Pick<CompileRequest, 'searchExports'> {
  return { searchExports: exports && ((search) => exports.search(search)) }
}

/** Exports at the start of a command: of the option, or with storeconfigs of the server; else nothing is collected. */
export async function knownExports(
  { options }: { readonly options: MayHave<readonly [typeof exportsOption]> },
  settings: Settings,
): Promise<ExportTable | undefined> {
  const { files } = localSystem
  if (options.exports === undefined) {
    if (!settings.storeconfigs) return undefined
    if (settings.storeconfigs_backend !== 'puppetdb')
      return readExports({ directory: exportsDirectory(settings), files })
    return (await withStoreBeside(settings, 'ask', readStoredExports)) ?? new ExportTable()
  }
  const directory = resolve(options.exports)
  if ((await files.list(directory)) === undefined) fail(issues.NO_EXPORTS, { folder: directory })
  return readExports({ directory, files })
}
