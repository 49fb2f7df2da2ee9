import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'

/** Throws the argument count error of stdlib's 3.x functions. */
export function failWrongCount(name: string, given: number, wanted: string): never {
  return throwArgumentError(`${name}(): Wrong number of arguments given (${given} for ${wanted})`)
}
