import type { System } from '../../../machine/system/system.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Indirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { Node } from '../../../model/node.ts'
import type { ReadText } from '../../../model/text-readings.ts'
import { inMemory } from '../in-memory.ts'
import type { StoreServices } from '../recorder-of.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { exec } from './exec.ts'
import { json, msgpack, yaml } from './files.ts'
import { ldap } from './ldap.ts'
import type { LdapSettings } from './ldap-directory.ts'
import { plain } from './plain.ts'
import { puppetdb } from './puppetdb.ts'
import { rest } from './rest.ts'

/** A request for a node; facts that came along spare the search for stored ones. */
export interface NodeRequest extends Request {
  readonly facts?: FactsDocument
}

/** Services of the termini of nodes. */
export interface NodeServices extends StoreServices, RemoteServices {
  readonly facts: Pick<Indirection<FactsDocument>, 'find'>
  readonly system: Pick<System, 'files' | 'commands'>
  readonly readText: ReadText
  readonly settings: {
    readonly server_datadir: string
    readonly yamldir: string
    readonly external_nodes: string
    readonly environment: string
  } & LdapSettings
}

/** Which environment, classes and parameters a node has. */
export const node: IndirectionDefinition<Node, NodeServices, NodeRequest> = {
  name: 'node',
  doc: 'Which environment, classes and parameters a node has.',
  termini: {
    plain,
    exec,
    json,
    msgpack,
    yaml,
    memory: { doc: 'Kept while the server runs.', create: () => inMemory() },
    ldap,
    puppetdb,
    rest,
  },
}
