import type { Callable } from './callable.ts'
import { type KeyedValue, toTypeKey } from './hash-key.ts'
import type { ObjectType } from './type.ts'
import { resolveParent } from './type.ts'
import type { Value } from './value.ts'

/** An instance of an Object type: `Error`, `Deferred`, `Target` or a type of a module. */
export class ObjectValue implements KeyedValue {
  readonly type: ObjectType
  /** All attributes, inherited ones first. */
  readonly attributes: ReadonlyMap<string, Value>

  constructor(type: ObjectType, attributes: ReadonlyMap<string, Value>) {
    this.type = type
    this.attributes = attributes
  }

  /** The object to which Ruby attaches instance variables. Several host objects can have the same owner. */
  get owner(): object {
    return this
  }

  /** True if uses of the object are recorded, for example by `lookup --explain`. */
  get isWatched(): boolean {
    return false
  }

  /** Finds a method by name; its first argument is the object. Only objects supplied by the host have methods. */
  method(_name: string): Callable | undefined {
    return undefined
  }

  /**
   * Returns a text for comparison. It contains the attributes in `equality` of the type and its ancestors, and the
   * type unless `equality_include_type` is false.
   */
  keyText(of: (value: Value) => string): string {
    const texts: string[] = []
    let caresForType = false
    for (let type: ObjectType | undefined = this.type; type; type = resolveParent(type)) {
      caresForType ||= type.equalityIncludeType
      for (const name of type.equality ?? listComparedAttributes(type))
        texts.push(`${name}:${of(this.attributes.get(name))}`)
    }
    return `${caresForType ? toTypeKey(this.type) : ''}(${texts.join()})`
  }
}

function listComparedAttributes({ attributes }: ObjectType): string[] {
  const compared = [...attributes.values()].filter(({ kind }) => kind !== 'constant' && kind !== 'derived')
  return compared.map(({ name }) => name)
}
