import { didYouMean } from '../../base/text/suggest.ts'
import type { QualifiedReference } from '../syntax/tree/nodes.ts'
import { resourceType, typeReferenceType } from '../types/make.ts'
import { builtinType, builtinTypeNames } from '../types/names.ts'
import { capitalizeSegments } from '../types/printing/print.ts'
import type { Type } from '../values/type.ts'
import type { Context } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'

/** The type of a capitalised name: a built-in one, one that code defines, else a type of resources. */
export function typeNamed(node: QualifiedReference, context: Context): Type {
  const type = typeOrReference(node, context)
  if (type.kind === 'TypeReference')
    failAt(node.span, issues.UNKNOWN_RESOURCE_TYPE, { name: type.typeString, hint: hintFor(type.typeString, context) })
  return type
}

function hintFor(name: string, { host }: Context): string | undefined {
  const others = Array.from(host.typeNames?.(name.toLowerCase()) ?? [], capitalizeSegments)
  return didYouMean(name, [...builtinTypeNames(), ...others])
}

/** The type of a capitalised name, or a TypeReference for an unknown name, which is no error in `Class[Name]`. */
export function typeOrReference(node: QualifiedReference, { host, scope }: Context): Type {
  const { name, key, builtin } = known.get(node) ?? named(node)
  const type = builtin ?? host.findType(name, scope)
  if (type) return type
  const isKnown = host.catalog?.isTypeKnown(key) ?? true
  return isKnown ? resourceType(name) : typeReferenceType(name)
}

/** The meaning of a node's name, the same in every scope. */
interface Named {
  readonly name: string
  readonly key: string
  readonly builtin: Type | undefined
}

const known = new WeakMap<QualifiedReference, Named>()

function named(node: QualifiedReference): Named {
  const name = node.casedValue.replace(/^::/, '')
  const made = { name, key: name.toLowerCase(), builtin: builtinType(name) }
  known.set(node, made)
  return made
}
