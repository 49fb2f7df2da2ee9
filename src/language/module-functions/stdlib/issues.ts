import { refuse } from '../../ruby-semantics/argument-error.ts'

/** Throws the argument count error of stdlib's 3.x functions. */
export function wrongCount(name: string, given: number, wanted: string): never {
  return refuse(`${name}(): Wrong number of arguments given (${given} for ${wanted})`)
}
