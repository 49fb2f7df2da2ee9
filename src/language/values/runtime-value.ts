import type { KeyedValue } from './hash-key.ts'

/**
 * A Ruby object without an equivalent in the Puppet language. Functions of modules can return and
 * accept it. Its type is `Runtime[ruby, 'Its::Class']`; a Ruby class or module is itself a type.
 */
export class RuntimeValue implements KeyedValue {
  /** Identifies the object in the Ruby VM until the catalog is finished. */
  readonly id: number
  readonly className: string
  /** Result of Ruby's `to_s`. */
  readonly text: string
  /** True for a Ruby class or module. */
  readonly isModule: boolean

  constructor({ id, className, text, isModule }: Pick<RuntimeValue, 'id' | 'className' | 'text' | 'isModule'>) {
    this.id = id
    this.className = className
    this.text = text
    this.isModule = isModule
  }

  keyText(): string {
    return `runtime:${this.id}`
  }

  toString(): string {
    return this.text
  }
}
