import { fail } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { factsDocument, factsFromWire } from '../../model/facts.ts'
import { createIndirection } from '../../model/indirector/indirection.ts'
import type { Node } from '../../model/node.ts'
import { readTextHere } from '../../model/text-readings.ts'
import { catalogIssues } from '../../server/termini/catalog/issues.ts'
import { facts as factsIndirection } from '../../server/termini/facts/index.ts'
import { readPlugIns } from '../../server/termini/plug-ins/plug-ins.ts'
import { remotePuppet } from '../../server/termini/remote-puppet.ts'

/** The classification of a node. Its environment only selects nodes: the command line selects the code. */
export type Classification = Pick<Node, 'classes' | 'parameters'> & Partial<Pick<Node, 'environment'>>

/** The classes given on the command line; otherwise the classification by `node_terminus`, as on the server. */
export async function classify(name: string, classes: readonly string[], settings: Settings): Promise<Classification> {
  const terminus = settings.node_terminus
  if (classes.length > 0 || terminus === 'plain' || terminus === 'puppetdb') return { classes, parameters: {} }
  const { files } = localSystem
  const read = async (text: Buffer) => factsDocument(factsFromWire(parseJson(text.toString())))
  const facts = createIndirection(
    factsIndirection,
    { files, settings, read, readText: readTextHere },
    { terminus: 'memory' },
  )
  const remote = () => remotePuppet(settings, files)
  const services = { facts, system: localSystem, settings, readText: readTextHere, remote }
  const plugIns = await readPlugIns(settings, files)
  try {
    const found = await createIndirection(plugIns.node, services, { terminus }).find({ key: name })
    return found ?? fail(catalogIssues.UNKNOWN_NODE, { node: name })
  } finally {
    await plugIns.close()
  }
}
