import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { byCodeUnit } from '../base/by-code-unit.ts'
import { globMeter, nameGlob } from '../base/glob.ts'
import { isMissing } from '../base/system-error.ts'
import type { Settings } from '../settings/settings.ts'
import { withStoreBeside } from '../store/beside.ts'
import { plain, questionOf, rowsOf } from './asking/rows.ts'
import { nodeLine } from './node-list.ts'

/**
 * The nodes of an environment that a server knows, those heard of last first: of the store, or where that has none those of
 * which facts are kept.
 */
export async function knownNodes(settings: Settings): Promise<readonly string[]> {
  const stored =
    (await withStoreBeside(settings, 'ask', async (store) => {
      const rows = await rowsOf(store, questionOf(['from', 'nodes', ['=', 'node_state', 'active']]))
      return rows
        .map((row) => nodeLine(plain(row)))
        .filter(({ environment }) => environment === null || environment === settings.environment)
        .sort((one, other) => byCodeUnit(heardOf(other), heardOf(one)))
        .map(({ certname }) => String(certname))
    })) ?? []
  return stored.length > 0 ? stored : nodesWithFacts(settings)
}

/** Those names that match a pattern with `*` and `?`. Throws GLOB_…. */
export function matching(names: readonly string[], pattern: string): readonly string[] {
  const glob = nameGlob(pattern)
  const meter = globMeter('the names of nodes with the pattern of --nodes')
  return names.filter((name) => glob.matches(name, meter))
}

function heardOf({ last_heard }: ReturnType<typeof nodeLine>): string {
  return String(last_heard ?? '')
}

function nodesWithFacts({ server_datadir, yamldir, facts_terminus }: Settings): readonly string[] {
  const inJson = namesIn(join(server_datadir, 'facts'), '.json')
  const inYaml = facts_terminus === 'yaml' ? namesIn(join(yamldir, 'facts'), '.yaml') : []
  return [...new Set([...inJson, ...inYaml])].sort()
}

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
