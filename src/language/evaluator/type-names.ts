import { didYouMean } from '../../base/text/suggest.ts'
import type { QualifiedReference } from '../syntax/tree/nodes.ts'
import { resourceType, typeReferenceType } from '../types/make.ts'
import { builtinType, builtinTypeNames } from '../types/names.ts'
import { capitalizeSegments } from '../types/printing/print.ts'
import type { Type } from '../values/type.ts'
import type { Context } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'

/** Resolves a capitalized name: a built-in type, a type defined in code, or else a resource type. */
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

/** Resolves a capitalized name. Returns a TypeReference for an unknown name, because it is valid in `Class[Name]`. */
export function typeOrReference(node: QualifiedReference, { host, scope }: Context): Type {
  const { name, key, builtin } = known.get(node) ?? named(node)
  const type = builtin ?? host.findType(name, scope)
  if (type) return type
  const isKnown = host.catalog?.isTypeKnown(key) ?? true
  return isKnown ? resourceType(name) : typeReferenceType(name)
}

/** Meaning of a name that does not depend on the scope. */
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
