import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { ObjectValue } from '../../values/object.ts'
import type { ObjectType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { acceptsUndef } from '../is-assignable.ts'
import { isInstance } from '../is-instance.ts'
import { describeCallMismatch, describeMismatch } from '../mismatch/mismatch.ts'
import { getAttributes } from '../objects/object-inheritance.ts'
import { getObjectParameters } from './new-parameters.ts'

/** Builds an instance of an Object type from a hash of attributes, or from attributes in order. */
export function createObject(type: ObjectType, args: readonly Value[]): ObjectValue {
  const ways = getObjectParameters(type, acceptsUndef)
  const [byHash, inOrder] = ways
  if (isInstance(byHash.tuple, args)) return createInstance(type, args[0] as Hash)
  if (isInstance(inOrder.tuple, args))
    return createInstance(type, Hash.of(args.map((value, index) => [inOrder.names[index]!, value] as const)))
  const signatures = ways.map(({ tuple }) => make.createCallableType(tuple))
  const names = ways.map((each) => each.names)
  return throwArgumentError(describeCallMismatch(`new_${type.name ?? ''}`, signatures, names, args) ?? '')
}

/** Builds an instance from attributes; adds defaults. Throws RUNTIME_ERROR for an invalid attribute. */
export function createInstance(type: ObjectType, given: Hash): ObjectValue {
  const attributes = new Map<string, Value>()
  for (const [name, definition] of getAttributes(type)) {
    if (definition.kind === 'derived') continue
    const isConstant = definition.kind === 'constant'
    const value = given.has(name) && !isConstant ? given.get(name) : definition.value
    const said = isConstant ? '' : describeMismatch(`${type.name}[${name}]`, definition.type, value)
    if (said !== '') throwArgumentError(said)
    attributes.set(name, value)
  }
  return new ObjectValue(type, attributes)
}
