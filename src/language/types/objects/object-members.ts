import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import type { AnyMember, AttributeDefinition, FunctionMember } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { inferType } from '../infer.ts'
import { isAssignable } from '../is-assignable.ts'
import { ATTRIBUTE_INITIALIZER, assertValueType, FUNCTION_INITIALIZER, FUNCTION_TYPE } from './object-initializer.ts'

/** Inherited members by name. */
export type InheritedMembers = ReadonlyMap<string, AnyMember>

/** Name of a member in messages: `attribute Car[wheels]`. */
export function formatMemberLabel({ feature, owner, name }: Pick<AnyMember, 'feature' | 'owner' | 'name'>): string {
  return `${feature} ${owner}[${name}]`
}

/** Parses the attributes and constants that a hash describes. Throws RUNTIME_ERROR for an invalid description. */
export function parseAttributes(
  given: Hash,
  owner: string,
  inherited: InheritedMembers,
): Map<string, AttributeDefinition> {
  const specs = new Map<string, Value>(parseEntries(given.get('attributes')))
  for (const [name, value] of parseEntries(given.get('constants'))) {
    if (specs.has(name))
      throwArgumentError(`attribute ${owner}[${name}] is defined as both a constant and an attribute`)
    // The type is generalized, so that an override can have another value.
    const type = generalizeType(inferType(value))
    specs.set(name, Hash.from({ type, value, kind: 'constant', override: inherited.has(name) }))
  }
  return new Map(
    Array.from(specs, ([name, spec]) => {
      const made = parseAttribute('attribute', owner, name, spec)
      checkOverride(made, inherited)
      return [name, made]
    }),
  )
}

/** Parses the type parameters that a hash describes; all of them are optional. */
export function parseTypeParameters(
  given: Hash,
  owner: string,
  inherited: InheritedMembers,
): Map<string, AttributeDefinition> {
  return new Map(
    parseEntries(given.get('type_parameters')).map(([name, spec]) => {
      const fields = spec instanceof Hash ? spec : Hash.from({ type: spec })
      if (!(spec instanceof Hash)) assertValueType(`type_parameter ${owner}[${name}]`, make.TYPE, spec)
      const made = parseAttribute('type_parameter', owner, name, fields)
      const type = made.type.kind === 'Optional' ? made.type : make.createOptionalType(made.type)
      const parameter = Object.freeze({ ...made, type })
      checkOverride(parameter, inherited)
      return [name, parameter]
    }),
  )
}

/** Parses the functions that a hash describes. */
export function parseFunctions(
  given: Hash,
  owner: string,
  attributes: ReadonlyMap<string, AttributeDefinition>,
  inherited: InheritedMembers,
): Map<string, FunctionMember> {
  return new Map(
    parseEntries(given.get('functions')).map(([name, spec]) => {
      if (spec instanceof Hash) assertValueType(`initializer for function '${name}'`, FUNCTION_INITIALIZER, spec)
      else assertValueType(`function ${owner}[${name}]`, FUNCTION_TYPE, spec)
      const fields = spec instanceof Hash ? spec : Hash.from({ type: spec })
      const made: FunctionMember = Object.freeze({ feature: 'function', ...readCommonFields(name, owner, fields) })
      if (attributes.has(name))
        throwArgumentError(`${formatMemberLabel(made)} conflicts with attribute with the same name`)
      checkOverride(made, inherited)
      return [name, made]
    }),
  )
}

function parseEntries(given: Value): [string, Value][] {
  return given instanceof Hash ? Array.from(given, ([name, value]) => [String(name), value]) : []
}

function readCommonFields(name: string, owner: string, fields: Hash) {
  return {
    name,
    owner,
    type: fields.get('type') as AnyMember['type'],
    override: fields.get('override') === true,
    final: fields.get('final') === true,
    annotations: fields.get('annotations') as Hash | undefined,
  }
}

function parseAttribute(
  feature: AttributeDefinition['feature'],
  owner: string,
  name: string,
  spec: Value,
): AttributeDefinition {
  const label = `${feature} ${owner}[${name}]`
  const fields = spec instanceof Hash ? spec : normalizeSpec(label, spec)
  assertValueType(`initializer for ${label}`, ATTRIBUTE_INITIALIZER, fields)
  if (name === '__ptype' || name === '__pvalue')
    throwArgumentError(`The attribute '${name}' is reserved and cannot be used`)
  const kind = fields.get('kind') as AttributeDefinition['kind']
  const isConstant = kind === 'constant'
  if (isConstant && fields.get('final') === false)
    throwArgumentError(`${label} of kind 'constant' cannot be combined with final => false`)
  const hasValue = fields.has('value')
  const value = fields.get('value')
  if (hasValue && (kind === 'derived' || kind === 'given_or_derived'))
    throwArgumentError(`${label} of kind '${kind}' cannot be combined with an attribute value`)
  if (!hasValue && isConstant) throwArgumentError(`${label} of kind 'constant' requires a value`)
  const shared = readCommonFields(name, owner, fields)
  if (hasValue && value !== DEFAULT) assertValueType(`${label} value`, shared.type, value)
  return Object.freeze({ feature, ...shared, final: shared.final || isConstant, kind, hasValue, value })
}

/** Normalizes an attribute description. An attribute that accepts undef has undef as its default. */
function normalizeSpec(label: string, spec: Value): Hash {
  assertValueType(label, make.TYPE, spec)
  const type = spec as AnyMember['type']
  return type.kind === 'Optional' ? Hash.from({ type, value: undefined }) : Hash.from({ type })
}

/** Throws RUNTIME_ERROR if a member cannot override an inherited member, or is marked `override` but overrides none. */
function checkOverride(member: AnyMember, inherited: InheritedMembers): void {
  const label = formatMemberLabel(member)
  const over = inherited.get(member.name)
  if (!over) {
    if (member.override)
      throwArgumentError(
        `expected ${label} to override an inherited ${member.feature}, but no such ${member.feature} was found`,
      )
    return
  }
  const other = formatMemberLabel(over)
  if (member.feature !== over.feature) throwArgumentError(`${label} attempts to override ${other}`)
  if (over.final && !(isConstant(over) && isConstant(member)))
    throwArgumentError(`${label} attempts to override final ${other}`)
  if (!member.override) throwArgumentError(`${label} attempts to override ${other} without having override => true`)
  if (!isAssignable(over.type, member.type))
    throwArgumentError(`${label} attempts to override ${other} with a type that does not match`)
}

function isConstant(member: AnyMember): boolean {
  return member.feature !== 'function' && member.kind === 'constant'
}
