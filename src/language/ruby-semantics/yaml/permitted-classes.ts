import type { RubyData } from '../data/data-form.ts'
import { YamlError } from './yaml-error.ts'

/** Ruby classes that safe loading permits, and permission for aliases. Other classes are rejected. */
export interface PermittedClasses<Own = never> {
  /** Builds a symbol from its name. */
  readonly Symbol?: (name: string) => RubyData<Own>
  /** Builds a date from its text. */
  readonly Date?: (text: string) => RubyData<Own>
  /** Builds a time from its text. */
  readonly Time?: (text: string) => RubyData<Own>
  /** Tag of a Ruby object that is permitted as the root of the document; the object is read as a hash. */
  readonly root?: string
  /** True to allow aliases. */
  readonly aliases?: boolean
}

/** Permits symbols and reads each as its name. */
export const symbolsAsNames: PermittedClasses = { Symbol: (name) => name }

/** Throws Psych's error for a class that is not permitted. */
export function rejectClass(name: string): never {
  throw new YamlError(`Tried to load unspecified class: ${name}`)
}
