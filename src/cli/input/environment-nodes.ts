import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isMissingFileError } from '../../base/system-error.ts'
import { compileNameGlob, createGlobMeter } from '../../base/text/glob.ts'
import { type EnvironmentNodes, type GateNode, selectNodes } from '../../deploy/gate/node-selection.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { readNodeList } from '../../server/gate/node-list.ts'
import { AgentRequests, getRequestsFolder } from '../../server/services/agent-requests.ts'
import { withDirectStore } from '../../store/direct-store.ts'

/** The nodes of an environment, the latest catalog request first. */
export async function listKnownNodes(settings: Settings): Promise<readonly string[]> {
  return (await listEnvironmentNodes(settings)).nodes
}

/**
 * The nodes on which a push to the environment of the settings is tested, and the other nodes by reason. Reads the
 * catalog requests recorded by the server, and its store; if both are empty, the facts files on disk.
 */
export async function listEnvironmentNodes(settings: Settings): Promise<EnvironmentNodes> {
  return createEnvironmentNodesReader(settings)(settings.environment)
}

/** Same as `listEnvironmentNodes` for several environments of one push: reads all nodes once. */
export function createEnvironmentNodesReader(settings: Settings): (environment: string) => Promise<EnvironmentNodes> {
  let read: Promise<readonly GateNode[]> | undefined
  return async (environment) => {
    read ??= loadKnownNodes(settings)
    const known = await read
    if (known.length === 0) return { nodes: listNodesWithFacts(settings), untried: [] }
    return selectNodes(known, { environment, needsRequest: false })
  }
}

async function loadKnownNodes(settings: Settings): Promise<readonly GateNode[]> {
  const sources = { askings: await openCatalogRequests(settings), now: Date.now(), ttl: settings.node_ttl * 1000 }
  return (
    (await withDirectStore(settings, 'ask', (store) => readNodeList({ ...sources, store }))) ??
    (await readNodeList({ ...sources, store: undefined }))
  )
}

async function openCatalogRequests(settings: Settings): Promise<AgentRequests> {
  const askings = new AgentRequests({
    ...{ folder: getRequestsFolder(settings), files: localFiles, holdsFacts: false, ttl: settings.node_ttl * 1000 },
    now: () => Date.now(),
    warn: () => {},
  })
  await askings.read()
  return askings
}

/** The names that match a pattern with `*` and `?`. Throws GLOB_…. */
export function filterByGlob(names: readonly string[], pattern: string): readonly string[] {
  const glob = compileNameGlob(pattern)
  const meter = createGlobMeter('the names of nodes with the pattern of --nodes')
  return names.filter((name) => glob.matches(name, meter))
}

function listNodesWithFacts({ server_datadir, yamldir, facts_terminus }: Settings): readonly string[] {
  const inJson = listFileNames(join(server_datadir, 'facts'), '.json')
  const inYaml = facts_terminus === 'yaml' ? listFileNames(join(yamldir, 'facts'), '.yaml') : []
  return [...new Set([...inJson, ...inYaml])].sort()
}

function listFileNames(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
  } catch (error) {
    if (isMissingFileError(error)) return []
    throw error
  }
}
