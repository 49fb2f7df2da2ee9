import type { ObjectType } from '../types/type.ts'
import type { Value } from './value.ts'

/** An instance of an Object type: `Error`, `Deferred`, `Target`, and those of modules. */
export class ObjectValue {
  readonly type: ObjectType
  /** Every attribute, inherited ones first. */
  readonly attributes: ReadonlyMap<string, Value>

  constructor(type: ObjectType, attributes: ReadonlyMap<string, Value>) {
    this.type = type
    this.attributes = attributes
  }
}
