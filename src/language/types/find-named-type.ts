import type { CallContext } from '../host.ts'
import type { Type } from '../values/type.ts'
import { createResourceType } from './constructors.ts'

/** Finds a type by name: defined in code, or else a resource type. */
export function findNamedType(name: string, { host, scope }: Pick<CallContext, 'host' | 'scope'>): Type | undefined {
  return (
    host.findType(name, scope) ?? (host.catalog?.isTypeKnown(name.toLowerCase()) ? createResourceType(name) : undefined)
  )
}
