import type { QualifiedReference } from '../ast/nodes.ts'
import { resourceType, typeReferenceType } from '../types/make.ts'
import { builtinType } from '../types/names.ts'
import type { Type } from '../types/type.ts'
import type { Context } from './context.ts'

/** The type of a capitalised name: a built-in one, one that code defines, else a type of resources. */
export function typeNamed(node: QualifiedReference, { host, scope }: Context): Type {
  const name = node.casedValue.replace(/^::/, '')
  return builtinType(name) ?? host.findType(name, scope) ?? resourceType(name)
}

/** The same, in `Class[Name]`, where a name that nothing is known of is no error. */
export function typeOrReference(node: QualifiedReference, context: Context): Type {
  const type = typeNamed(node, context)
  return type.kind === 'Resource' ? typeReferenceType(node.casedValue) : type
}
