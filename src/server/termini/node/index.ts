import type { System } from '../../../machine/system/system.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Indirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import type { PuppetNode } from '../../../model/node.ts'
import { createMemoryTerminus } from '../memory-terminus.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import type { StoreServices } from '../store-recorder.ts'
import { exec } from './exec.ts'
import { json, msgpack, yaml } from './files.ts'
import { ldap } from './ldap.ts'
import type { LdapSettings } from './ldap-directory.ts'
import { plain } from './plain.ts'
import { puppetdb } from './puppetdb.ts'
import { rest } from './rest.ts'

/** Request for a node. If it contains facts, the stored facts are not read. */
export interface NodeRequest extends Request {
  readonly facts?: FactsDocument
}

/** Dependencies of the node termini. */
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

/** Classification of nodes: environment, classes and parameters. */
export const node: IndirectionDefinition<PuppetNode, NodeServices, NodeRequest> = {
  name: 'node',
  doc: 'Environment, classes and parameters of nodes.',
  termini: {
    plain,
    exec,
    json,
    msgpack,
    yaml,
    memory: { doc: 'Stores nodes in memory.', create: () => createMemoryTerminus() },
    ldap,
    puppetdb,
    rest,
  },
}
