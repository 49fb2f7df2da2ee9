import { throwIssue } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { factsFromWire, toFactsDocument } from '../../model/facts.ts'
import { createIndirection } from '../../model/indirector/indirection.ts'
import { readModelText } from '../../model/model-readers.ts'
import type { PuppetNode } from '../../model/node.ts'
import { catalogIssues } from '../../server/termini/catalog/issues.ts'
import { facts as factsIndirection } from '../../server/termini/facts/index.ts'
import { readPlugIns } from '../../server/termini/plug-ins/plug-ins.ts'
import { createRemotePuppet } from '../../server/termini/remote-puppet.ts'

/** The classification of a node. Its environment only selects nodes: the command line selects the code. */
export type Classification = Pick<PuppetNode, 'classes' | 'parameters'> & Partial<Pick<PuppetNode, 'environment'>>

/** The classes given on the command line; otherwise the classification by `node_terminus`, as on the server. */
export async function classifyNode(
  name: string,
  classes: readonly string[],
  settings: Settings,
): Promise<Classification> {
  const terminus = settings.node_terminus
  if (classes.length > 0 || terminus === 'plain' || terminus === 'puppetdb') return { classes, parameters: {} }
  const { files } = localSystem
  const readFactsDocument = async (text: Buffer) => toFactsDocument(factsFromWire(parseJson(text.toString())))
  const facts = createIndirection(
    factsIndirection,
    { files, settings, read: readFactsDocument, readText: readModelText },
    { terminus: 'memory' },
  )
  const openRemotePuppet = () => createRemotePuppet(settings, files)
  const services = { facts, system: localSystem, settings, readText: readModelText, remote: openRemotePuppet }
  const plugIns = await readPlugIns(settings, files)
  try {
    const found = await createIndirection(plugIns.node, services, { terminus }).find({ key: name })
    return found ?? throwIssue(catalogIssues.UNKNOWN_NODE, { node: name })
  } finally {
    await plugIns.close()
  }
}
