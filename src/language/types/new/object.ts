import { refuse } from '../../values/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { ObjectValue } from '../../values/object.ts'
import type { Value } from '../../values/value.ts'
import { takesUndef } from '../is-assignable.ts'
import { isInstance } from '../is-instance.ts'
import * as make from '../make.ts'
import { describeCallMismatch, describeMismatch } from '../mismatch.ts'
import { attributesOf } from '../object-lineage.ts'
import type { AttributeDefinition, CallableType, ObjectType } from '../type.ts'

/** An instance of an Object type, from one hash of its attributes, or from its attributes in order. */
export function newObject(type: ObjectType, args: readonly Value[]): ObjectValue {
  const settable = [...attributesOf(type).values()].filter(isSettable)
  const ordered = [...settable.filter(isRequired), ...settable.filter((each) => !isRequired(each))]
  const required = settable.filter(isRequired).length
  const byHash = make.callableType(make.tupleType([structOf(settable)], make.sizeBounds(1, 1)))
  const types = ordered.map((each) => each.type)
  const positional = make.callableType(make.tupleType(types, make.sizeBounds(required, ordered.length)))
  if (isInstance(byHash.parameters!, args)) return instanceOf(type, args[0] as Hash)
  if (isInstance(positional.parameters!, args))
    return instanceOf(type, Hash.of(args.map((value, index) => [ordered[index]!.name, value] as const)))
  const signatures: readonly CallableType[] = [byHash, positional]
  const names = [['hash'], ordered.map((each) => each.name)]
  return refuse(describeCallMismatch(`new_${type.name ?? ''}`, signatures, names, args) ?? '')
}

/** An instance with these attributes and the defaults of the others. Throws RUNTIME_ERROR for a wrong one. */
export function instanceOf(type: ObjectType, given: Hash): ObjectValue {
  const attributes = new Map<string, Value>()
  for (const [name, definition] of attributesOf(type)) {
    if (definition.kind === 'derived') continue
    const isConstant = definition.kind === 'constant'
    const value = given.has(name) && !isConstant ? given.get(name) : definition.value
    const said = isConstant ? '' : describeMismatch(`${type.name}[${name}]`, definition.type, value)
    if (said !== '') refuse(said)
    attributes.set(name, value)
  }
  return new ObjectValue(type, attributes)
}

function isSettable({ kind }: AttributeDefinition): boolean {
  return kind !== 'constant' && kind !== 'derived'
}

function isRequired({ hasValue, type }: AttributeDefinition): boolean {
  return !hasValue && !takesUndef(type)
}

function structOf(attributes: readonly AttributeDefinition[]) {
  return make.structType(attributes.map((each) => ({ name: each.name, optional: !isRequired(each), value: each.type })))
}
