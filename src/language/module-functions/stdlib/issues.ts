import { refuse } from '../../ruby-semantics/argument-error.ts'

/** Throws that the count of arguments is wrong, in the words of stdlib's 3.x functions. */
export function wrongCount(name: string, given: number, wanted: string): never {
  return refuse(`${name}(): Wrong number of arguments given (${given} for ${wanted})`)
}
