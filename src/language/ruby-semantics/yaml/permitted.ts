import type { Data } from '../data/data-form.ts'
import { YamlError } from './yaml-error.ts'

/** Classes that safe loading permits, and aliases; a class that is not named is refused. */
export interface Permitted<Own = never> {
  /** A symbol, from its name. */
  readonly Symbol?: (name: string) => Data<Own>
  /** A date, from its text. */
  readonly Date?: (text: string) => Data<Own>
  /** A point in time, from its text. */
  readonly Time?: (text: string) => Data<Own>
  /** The tag of an object of Ruby's that the document itself may be: it is read as a hash. */
  readonly root?: string
  /** Permission for aliases; `false` refuses them. */
  readonly aliases?: boolean
}

/** Symbols as their names. */
export const symbolsAsNames: Permitted = { Symbol: (name) => name }

/** Throws what Psych says of a class that is not permitted. */
export function refuseClass(name: string): never {
  throw new YamlError(`Tried to load unspecified class: ${name}`)
}
