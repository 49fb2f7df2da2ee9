import type { ObjectType } from '../types/type.ts'
import type { Callable } from './callable.ts'
import { type Keyed, keyOfType } from './hash-key.ts'
import type { Value } from './value.ts'

/** An instance of an Object type: `Error`, `Deferred`, `Target`, and those of modules. */
export class ObjectValue implements Keyed {
  readonly type: ObjectType
  /** Every attribute, inherited ones first. */
  readonly attributes: ReadonlyMap<string, Value>

  constructor(type: ObjectType, attributes: ReadonlyMap<string, Value>) {
    this.type = type
    this.attributes = attributes
  }

  /** A function of this object by its name; it takes the object first. Only objects that the host gives have any. */
  method(_name: string): Callable | undefined {
    return undefined
  }

  /** By the attributes that the type's `equality` names, or by all. */
  keyText(of: (value: Value) => string): string {
    const names = this.type.equality ?? [...this.attributes.keys()]
    const attributes = names.map((name) => `${name}:${of(this.attributes.get(name))}`)
    return `${keyOfType(this.type)}(${attributes.join()})`
  }
}
