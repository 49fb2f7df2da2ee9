import { Callable } from '../../../language/values/callable.ts'

/** A function in Ruby, whose calls are recorded. */
export abstract class TracedCallable extends Callable {}
