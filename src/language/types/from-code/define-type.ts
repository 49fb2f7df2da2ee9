import { createDiagnostic } from '../../../base/issue.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { validationIssues } from '../../syntax/issues/validation.ts'
import type { Expression, KeyedEntry, LiteralHash, Operation, ResourceDefaults } from '../../syntax/tree/nodes.ts'
import { Hash } from '../../values/hash.ts'
import type { Type, TypeAliasType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { VerbatimError } from '../../values/verbatim-error.ts'
import { createTypeAliasType, createTypeReferenceType, createVariantType } from '../constructors.ts'
import { memoize } from '../memoize.ts'
import { normalizeType } from '../normalize.ts'
import { createNamedObjectType } from '../objects/make-object.ts'
import { createNamedTypeSet, findTypeInSet } from '../objects/make-type-set.ts'
import { type ResolveType, toLiteralValue, toTypeFromExpression } from './type-expressions.ts'

/**
 * Builds the type that `type Name = expression` defines: a named Object type, a named type set, or an alias. The
 * expression is evaluated by `resolveType` or on first use. Puppet: type_definition_instantiator.rb.
 */
export function createDefinedType(name: string, expression: Expression, resolve: ResolveType): Type {
  const definition = findDefinition(expression)
  if (definition?.kind === 'Object')
    return createNamedObjectType(name, () => parseInitializer(definition.given, resolve))
  if (definition?.kind === 'TypeSet') return createTypeSet(name, definition.given, resolve)
  return createAlias(name, expression, resolve)
}

/** Evaluates all parts of a defined type, so that errors in them are thrown. */
export function resolveType(type: Type): void {
  if (type.kind === 'Object') void type.initHash
  else if (type.kind === 'TypeAlias') void type.resolved
  else if (type.kind === 'TypeSet') {
    for (const { typeSet } of type.references.values()) void typeSet
    for (const each of type.types.values()) if (!(each instanceof Hash)) resolveType(each)
  }
}

interface Definition {
  readonly kind: 'Object' | 'TypeSet'
  readonly given: Expression | undefined
}

/** The definition in `Object[…]`, `TypeSet[…]` or `{…}`. */
function findDefinition(expression: Expression): Definition | undefined {
  if (expression.kind === 'LiteralHash') return { kind: 'Object', given: expression }
  if (expression.kind !== 'Access' || expression.left.kind !== 'QualifiedReference') return undefined
  const { casedValue } = expression.left
  return casedValue === 'Object' || casedValue === 'TypeSet'
    ? { kind: casedValue, given: expression.keys[0] }
    : undefined
}

/** Returns the literal hash that defines an Object type. Throws RUNTIME_ERROR for other expressions. */
function parseInitializer(given: Expression | undefined, resolve: ResolveType): Value {
  if (given?.kind === 'LiteralHash') return toLiteralValue(given, resolve)
  const what = given ? `Puppet::AST::${given.kind}` : 'Undef'
  return throwArgumentError(`object initializer has wrong type, expects a Struct value, got ${what}`)
}

// ---- Aliases

function createAlias(name: string, expression: Expression, resolve: ResolveType): TypeAliasType {
  const resolveAlias = (): Type => removeSelfReference(alias, normalizeType(toTypeFromExpression(expression, resolve)))
  const alias: TypeAliasType = createTypeAliasType(
    name,
    memoize(resolveAlias, createTypeReferenceType('UnresolvedReference')),
  )
  return alias
}

/** Removes an alias from its own variants. Throws RUNTIME_ERROR if nothing else remains. */
function removeSelfReference(alias: TypeAliasType, resolved: Type): Type {
  const isRealType = (type: Type): boolean => hasContent(type, new Set([alias]))
  if (!isRealType(resolved)) return throwArgumentError(`Type alias '${alias.name}' cannot be resolved to a real type`)
  return resolved.kind === 'Variant' ? createVariantType(resolved.types.filter(isRealType)) : resolved
}

function hasContent(type: Type, seen: Set<Type>): boolean {
  if (seen.has(type)) return false
  if (type.kind === 'Variant') return type.types.length === 0 || type.types.some((each) => hasContent(each, seen))
  return type.kind === 'TypeAlias' ? hasContent(type.resolved, seen.add(type)) : true
}

// ---- Type sets

function createTypeSet(name: string, given: Expression | undefined, resolve: ResolveType): Type {
  const resolveWithin: ResolveType = (each) => resolve(each) ?? findTypeInSet(typeSet, each)
  const typeSet = createNamedTypeSet(
    name,
    () =>
      given?.kind === 'LiteralHash'
        ? toTypeSetHash(name, given, resolve, resolveWithin)
        : given && toLiteralValue(given, resolve),
    resolve,
  )
  return typeSet
}

/**
 * Converts the literal hash of a type set. Keeps the names of types and references as text, and resolves their values.
 */
function toTypeSetHash(name: string, { entries }: LiteralHash, resolve: ResolveType, within: ResolveType): Hash {
  return Hash.of(
    entries.map(({ key, value }) => {
      const field = toLiteralValue(key, resolve)
      if ((field !== 'types' && field !== 'references') || value.kind !== 'LiteralHash')
        return [field, toLiteralValue(value, resolve)]
      const members = value.entries.map(({ key, value }) => {
        const member = key.kind === 'QualifiedReference' ? key.casedValue : toLiteralValue(key, resolve)
        const made =
          field === 'types'
            ? createDefinedType(`${name}::${String(member)}`, toHashExpression(value), within)
            : toLiteralValue(value, resolve)
        return [member, made] as const
      })
      return [field, Hash.of(members)]
    }),
  )
}

/** Converts `Parent { … }` to the hash of an Object type with that parent. */
function toHashExpression(value: Expression): Expression {
  if (value.kind !== 'ResourceDefaults') return value
  const { typeRef, operations, span } = value as ResourceDefaults
  if (typeRef.kind !== 'QualifiedReference') return value
  const entries = operations.flatMap(listEntries)
  const { casedValue } = typeRef
  const hash: LiteralHash = { kind: 'LiteralHash', span, entries }
  if (casedValue === 'Object' || casedValue === 'TypeSet') return { kind: 'Access', span, left: typeRef, keys: [hash] }
  const again = entries.find(({ key }) => 'value' in key && key.value === 'parent')
  if (again) throw new VerbatimError(createDiagnostic(validationIssues.DUPLICATE_KEY, { key: 'parent' }, value.span))
  const key = { kind: 'QualifiedName', span: typeRef.span, value: 'parent' } as const
  return { ...hash, entries: [{ kind: 'KeyedEntry', span: typeRef.span, key, value: typeRef }, ...entries] }
}

function listEntries(operation: Operation): KeyedEntry[] {
  if (operation.kind !== 'AttributeOperation') return []
  const { name, value, span } = operation
  return [{ kind: 'KeyedEntry', span, key: { kind: 'QualifiedName', span, value: name }, value }]
}
