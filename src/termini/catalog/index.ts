import type { Asking } from '../../compiler/workers/pool.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import type { FactsDocument } from '../../model/facts.ts'
import { type CatalogServices, compiler } from './compiler.ts'
import { json } from './json.ts'

/** A catalog as it stands on the wire, and whose it is. */
export interface CatalogDocument {
  readonly environment: string
  readonly codeId: string | undefined
  readonly body: Uint8Array
}

/** A request for a catalog. */
export interface CatalogRequest extends Request {
  /** What the node says of itself now; otherwise what it said last. */
  readonly facts: FactsDocument | undefined
  /** What is proven of who asks. */
  readonly trusted: {
    readonly authenticated: 'remote' | 'local' | false
    readonly extensions: Readonly<Record<string, string>>
  }
  /** Whether the files' metadata shall be in the catalog, if the environment is versioned. */
  readonly static: boolean
  /** Types that the agent knows, best first, with dots between. */
  readonly checksumTypes: string | undefined
  /** Answer an empty catalog when the node belongs to another environment than the one it asks for. */
  readonly checkEnvironment: boolean
  /** Whether the agent reads rich data. */
  readonly rich: boolean
  /** How much the request holds while it waits, and whether anybody still does. */
  readonly asking?: Asking
}

/** What nodes are to be. */
export const catalog: IndirectionDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  name: 'catalog',
  doc: 'What a node is to be.',
  termini: { compiler, json },
}
