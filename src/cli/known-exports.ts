import { resolve } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import type { CompileRequest } from '../compiler/compile-request.ts'
import type { Settings } from '../settings/settings.ts'
import { exportsDirectory } from '../store/exports/from-settings.ts'
import { readExports } from '../store/exports/json.ts'
import type { ExportTable } from '../store/exports/memory.ts'
import { localSystem } from '../system/local-system.ts'
import type { Invocation } from './command.ts'

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

/** What a request has of exports, where there are any. */
export function searching(exports: ExportTable | undefined): Pick<CompileRequest, 'searchExports'> {
  return { searchExports: exports && ((search) => exports.search(search)) }
}

/** What nodes export when a command begins: of the option, or with storeconfigs of the server; else nothing is collected. */
export async function knownExports(
  { options }: Pick<Invocation, 'options'>,
  settings: Settings,
): Promise<ExportTable | undefined> {
  const { files } = localSystem
  if (typeof options.exports !== 'string')
    return settings.storeconfigs ? readExports({ directory: exportsDirectory(settings), files }) : undefined
  const directory = resolve(options.exports)
  if ((await files.list(directory)) === undefined) fail(issues.NO_EXPORTS, { folder: directory })
  return readExports({ directory, files })
}
