import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { QualifiedReference } from '../syntax/tree/nodes.ts'
import { findBuiltinType, listBuiltinTypeNames } from '../types/builtin-types.ts'
import { createResourceType, createTypeReferenceType } from '../types/constructors.ts'
import { capitalizeSegments } from '../types/printing/print.ts'
import type { Type } from '../values/type.ts'
import type { EvaluationContext } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'

/** Resolves a capitalized name: a built-in type, a type defined in code, or else a resource type. */
export function resolveTypeName(node: QualifiedReference, context: EvaluationContext): Type {
  const type = resolveTypeOrReference(node, context)
  if (type.kind === 'TypeReference')
    failAtSpan(node.span, evaluatorIssues.UNKNOWN_RESOURCE_TYPE, {
      name: type.typeString,
      hint: suggestTypeName(type.typeString, context),
    })
  return type
}

function suggestTypeName(name: string, { host }: EvaluationContext): string | undefined {
  const others = Array.from(host.typeNames?.(name.toLowerCase()) ?? [], capitalizeSegments)
  return formatSuggestion(name, [...listBuiltinTypeNames(), ...others])
}

/** Resolves a capitalized name. Returns a TypeReference for an unknown name, because it is valid in `Class[Name]`. */
export function resolveTypeOrReference(node: QualifiedReference, { host, scope }: EvaluationContext): Type {
  const { name, key, builtin } = known.get(node) ?? parseTypeName(node)
  const type = builtin ?? host.findType(name, scope)
  if (type) return type
  const isKnown = host.catalog?.isTypeKnown(key) ?? true
  return isKnown ? createResourceType(name) : createTypeReferenceType(name)
}

/** The parts of a type name's meaning that do not depend on the scope. */
interface TypeName {
  readonly name: string
  readonly key: string
  readonly builtin: Type | undefined
}

const known = new WeakMap<QualifiedReference, TypeName>()

function parseTypeName(node: QualifiedReference): TypeName {
  const name = node.casedValue.replace(/^::/, '')
  const made = { name, key: name.toLowerCase(), builtin: findBuiltinType(name) }
  known.set(node, made)
  return made
}
