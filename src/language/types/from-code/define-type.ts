import { diagnose } from '../../../base/issue.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { validationIssues } from '../../syntax/issues/validation.ts'
import type { Expression, KeyedEntry, LiteralHash, Operation, ResourceDefaults } from '../../syntax/tree/nodes.ts'
import { Hash } from '../../values/hash.ts'
import type { Type, TypeAliasType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { VerbatimError } from '../../values/verbatim-error.ts'
import { typeAliasType, typeReferenceType, variantType } from '../make.ts'
import { memoize } from '../memoize.ts'
import { normalize } from '../normalize.ts'
import { namedObjectType } from '../objects/make-object.ts'
import { findTypeInSet, namedTypeSet } from '../objects/make-type-set.ts'
import { literalFromExpression, type ResolveType, typeFromExpression } from './from-expression.ts'

/**
 * Builds the type that `type Name = expression` defines: a named Object type, a named type set, or an alias. The
 * expression is evaluated by `resolveType` or on first use. Puppet: type_definition_instantiator.rb.
 */
export function definedType(name: string, expression: Expression, resolve: ResolveType): Type {
  const definition = definitionIn(expression)
  if (definition?.kind === 'Object') return namedObjectType(name, () => parseInitializer(definition.given, resolve))
  if (definition?.kind === 'TypeSet') return definedTypeSet(name, definition.given, resolve)
  return definedAlias(name, expression, resolve)
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
function definitionIn(expression: Expression): Definition | undefined {
  if (expression.kind === 'LiteralHash') return { kind: 'Object', given: expression }
  if (expression.kind !== 'Access' || expression.left.kind !== 'QualifiedReference') return undefined
  const { casedValue } = expression.left
  return casedValue === 'Object' || casedValue === 'TypeSet'
    ? { kind: casedValue, given: expression.keys[0] }
    : undefined
}

/** The literal hash of an Object type. Throws RUNTIME_ERROR for other expressions. */
function parseInitializer(given: Expression | undefined, resolve: ResolveType): Value {
  if (given?.kind === 'LiteralHash') return literalFromExpression(given, resolve)
  const what = given ? `Puppet::AST::${given.kind}` : 'Undef'
  return refuse(`object initializer has wrong type, expects a Struct value, got ${what}`)
}

// ---- Aliases

function definedAlias(name: string, expression: Expression, resolve: ResolveType): TypeAliasType {
  const resolved = (): Type => withoutItself(alias, normalize(typeFromExpression(expression, resolve)))
  const alias: TypeAliasType = typeAliasType(name, memoize(resolved, typeReferenceType('UnresolvedReference')))
  return alias
}

/** Removes an alias from its own variants. Throws RUNTIME_ERROR if nothing else remains. */
function withoutItself(alias: TypeAliasType, resolved: Type): Type {
  const isReal = (type: Type): boolean => saysSomething(type, new Set([alias]))
  if (!isReal(resolved)) return refuse(`Type alias '${alias.name}' cannot be resolved to a real type`)
  return resolved.kind === 'Variant' ? variantType(resolved.types.filter(isReal)) : resolved
}

function saysSomething(type: Type, seen: Set<Type>): boolean {
  if (seen.has(type)) return false
  if (type.kind === 'Variant') return type.types.length === 0 || type.types.some((each) => saysSomething(each, seen))
  return type.kind === 'TypeAlias' ? saysSomething(type.resolved, seen.add(type)) : true
}

// ---- Type sets

function definedTypeSet(name: string, given: Expression | undefined, resolve: ResolveType): Type {
  const within: ResolveType = (each) => resolve(each) ?? findTypeInSet(typeSet, each)
  const typeSet = namedTypeSet(
    name,
    () =>
      given?.kind === 'LiteralHash'
        ? hashOfTypeSet(name, given, resolve, within)
        : given && literalFromExpression(given, resolve),
    resolve,
  )
  return typeSet
}

/**
 * Converts the literal hash of a type set. Keeps the names of types and references as text, and resolves their values.
 */
function hashOfTypeSet(name: string, { entries }: LiteralHash, resolve: ResolveType, within: ResolveType): Hash {
  return Hash.of(
    entries.map(({ key, value }) => {
      const field = literalFromExpression(key, resolve)
      if ((field !== 'types' && field !== 'references') || value.kind !== 'LiteralHash')
        return [field, literalFromExpression(value, resolve)]
      const members = value.entries.map(({ key, value }) => {
        const member = key.kind === 'QualifiedReference' ? key.casedValue : literalFromExpression(key, resolve)
        const made =
          field === 'types'
            ? definedType(`${name}::${String(member)}`, toHashExpression(value), within)
            : literalFromExpression(value, resolve)
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
  const entries = operations.flatMap(findEntry)
  const { casedValue } = typeRef
  const hash: LiteralHash = { kind: 'LiteralHash', span, entries }
  if (casedValue === 'Object' || casedValue === 'TypeSet') return { kind: 'Access', span, left: typeRef, keys: [hash] }
  const again = entries.find(({ key }) => 'value' in key && key.value === 'parent')
  if (again) throw new VerbatimError(diagnose(validationIssues.DUPLICATE_KEY, { key: 'parent' }, value.span))
  const key = { kind: 'QualifiedName', span: typeRef.span, value: 'parent' } as const
  return { ...hash, entries: [{ kind: 'KeyedEntry', span: typeRef.span, key, value: typeRef }, ...entries] }
}

function findEntry(operation: Operation): KeyedEntry[] {
  if (operation.kind !== 'AttributeOperation') return []
  const { name, value, span } = operation
  return [{ kind: 'KeyedEntry', span, key: { kind: 'QualifiedName', span, value: name }, value }]
}
