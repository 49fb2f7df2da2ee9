import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../base/system-error.ts'
import { globMeter, nameGlob } from '../../base/text/glob.ts'
import { type EnvironmentNodes, type KnownNode, nodesToTry } from '../../deploy/gate/nodes-to-try.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { readKnownNodes } from '../../server/gate/known-nodes.ts'
import { Askings, askingsFolder } from '../../server/services/askings.ts'
import { withStoreBeside } from '../../store/beside.ts'

/** The nodes of an environment, the latest catalog request first. */
export async function knownNodes(settings: Settings): Promise<readonly string[]> {
  return (await environmentNodes(settings)).nodes
}

/**
 * The nodes on which a push to the environment of the settings is tested, and the other nodes by reason. Reads the
 * catalog requests recorded by the server, and its store; if both are empty, the facts files on disk.
 */
export async function environmentNodes(settings: Settings): Promise<EnvironmentNodes> {
  return nodesByEnvironment(settings)(settings.environment)
}

/** Same as `environmentNodes` for several environments of one push: reads all nodes once. */
export function nodesByEnvironment(settings: Settings): (environment: string) => Promise<EnvironmentNodes> {
  let read: Promise<readonly KnownNode[]> | undefined
  return async (environment) => {
    read ??= readNodes(settings)
    const known = await read
    if (known.length === 0) return { nodes: nodesWithFacts(settings), untried: [] }
    return nodesToTry(known, { environment, needsRequest: false })
  }
}

async function readNodes(settings: Settings): Promise<readonly KnownNode[]> {
  const sources = { askings: await notedRequests(settings), now: Date.now(), ttl: settings.node_ttl * 1000 }
  return (
    (await withStoreBeside(settings, 'ask', (store) => readKnownNodes({ ...sources, store }))) ??
    (await readKnownNodes({ ...sources, store: undefined }))
  )
}

async function notedRequests(settings: Settings): Promise<Askings> {
  const askings = new Askings({
    ...{ folder: askingsFolder(settings), files: localFiles, holdsFacts: false, ttl: settings.node_ttl * 1000 },
    now: () => Date.now(),
    warn: () => {},
  })
  await askings.read()
  return askings
}

/** The names that match a pattern with `*` and `?`. Throws GLOB_…. */
export function matching(names: readonly string[], pattern: string): readonly string[] {
  const glob = nameGlob(pattern)
  const meter = globMeter('the names of nodes with the pattern of --nodes')
  return names.filter((name) => glob.matches(name, meter))
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
