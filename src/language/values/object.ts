import type { Callable } from './callable.ts'
import { type Keyed, keyOfType } from './hash-key.ts'
import type { ObjectType } from './type.ts'
import { parentOf } from './type.ts'
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

  /** The object that Ruby may keep things for; several objects of the host's can share an owner. */
  get owner(): object {
    return this
  }

  /** True for an object whose use is recorded, as by the explanation of a lookup. */
  get isWatched(): boolean {
    return false
  }

  /** A function of this object by its name; it takes the object first. Only objects that the host gives have any. */
  method(_name: string): Callable | undefined {
    return undefined
  }

  /** By the attributes in `equality` of the type and its ancestors, and by the type unless none counts it. */
  keyText(of: (value: Value) => string): string {
    const texts: string[] = []
    let caresForType = false
    for (let type: ObjectType | undefined = this.type; type; type = parentOf(type)) {
      caresForType ||= type.equalityIncludeType
      for (const name of type.equality ?? comparedAttributes(type))
        texts.push(`${name}:${of(this.attributes.get(name))}`)
    }
    return `${caresForType ? keyOfType(this.type) : ''}(${texts.join()})`
  }
}

function comparedAttributes({ attributes }: ObjectType): string[] {
  const compared = [...attributes.values()].filter(({ kind }) => kind !== 'constant' && kind !== 'derived')
  return compared.map(({ name }) => name)
}
