import { join } from 'node:path'
import { createDiagnostic, type Diagnostic, defineIssues } from '../../../base/issue.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { settingDefinitions } from '../../../machine/settings/definitions/index.ts'
import type { SettingDefinition } from '../../../machine/settings/kinds.ts'
import type { SettingName, Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'

const issues = defineIssues({
  UNKNOWN_PLUG_IN: {
    text: (a: { setting: string; name: string; known: readonly string[] }) =>
      `Unknown name '${a.name}' in the value of setting ${a.setting}`,
    hint: (a) => formatSuggestion(a.name, a.known) ?? `Known names: ${a.known.join(', ')}.`,
  },
})

/** Folders below `server_plugins`. Each plug-in file in them defines a name that the setting may contain. */
const folders: Partial<Readonly<Record<SettingName, readonly string[]>>> = {
  node_terminus: ['termini/node', 'puppet/indirector/node'],
  node_cache_terminus: ['termini/node', 'puppet/indirector/node'],
  facts_terminus: ['termini/facts', 'puppet/indirector/facts'],
  catalog_terminus: ['termini/catalog', 'puppet/indirector/catalog'],
  catalog_cache_terminus: ['termini/catalog', 'puppet/indirector/catalog'],
  reports: ['reports', 'puppet/reports'],
}

/** Settings that may contain plug-in names. */
export const extensibleSettings = Object.keys(folders) as readonly SettingName[]

/** Returns an error for each name in the settings that is neither built in nor a plug-in in `server_plugins`. */
export async function findUnknownNames(
  settings: Partial<Settings>,
  serverPlugIns: string,
  files: Pick<Files, 'list'>,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const setting of extensibleSettings) {
    const own = (settingDefinitions[setting] as SettingDefinition<unknown>).kind.known ?? []
    const value = settings[setting] ?? []
    const given = (Array.isArray(value) ? value : [value]) as readonly string[]
    const missing = given.filter((name) => name !== '' && !own.includes(name))
    if (missing.length === 0) continue
    const known = [...own, ...(await listFolderNames(folders[setting]!, serverPlugIns, files))]
    for (const name of missing)
      if (!known.includes(name)) found.push(createDiagnostic(issues.UNKNOWN_PLUG_IN, { setting, name, known }))
  }
  return found
}

async function listFolderNames(
  places: readonly string[],
  serverPlugIns: string,
  files: Pick<Files, 'list'>,
): Promise<readonly string[]> {
  if (serverPlugIns === '') return []
  const lists = await Promise.all(places.map((place) => files.list(join(serverPlugIns, place))))
  return lists.flatMap((names) => (names ?? []).map((name) => name.replace(/\.(?:m?js|rb)$/, '')))
}
