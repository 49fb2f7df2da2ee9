import type { CallContext } from '../host.ts'
import type { Type } from '../values/type.ts'
import { resourceType } from './make.ts'

/** The type that code, or a type of resources, gives a name; for names that texts and aliases say. */
export function findNamedType(name: string, { host, scope }: Pick<CallContext, 'host' | 'scope'>): Type | undefined {
  return host.findType(name, scope) ?? (host.catalog?.isTypeKnown(name.toLowerCase()) ? resourceType(name) : undefined)
}
