import type { Keyed } from './hash-key.ts'

/**
 * An object of Ruby's that is no value of the language: functions of modules may give one, and take it again. The type of
 * such an object is `Runtime[ruby, 'Its::Class']`; a class or module of Ruby's stands for a type itself.
 */
export class RuntimeValue implements Keyed {
  /** The number by which Ruby knows the object, until the catalog is done. */
  readonly id: number
  readonly className: string
  /** The text of the object by Ruby's `to_s`. */
  readonly text: string
  /** True for a class or a module. */
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
