import { Callable } from '../../../language/values/callable.ts'

/** A Ruby function whose calls are recorded. */
export abstract class TracedCallable extends Callable {}
