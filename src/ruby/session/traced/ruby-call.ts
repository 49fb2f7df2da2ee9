import type { Json } from '../../../base/json/json-checks.ts'
import type { CallContext } from '../../../language/host.ts'
import type { Value } from '../../../language/values/value.ts'
import type { TracedWork } from '../../trace/trace-engine.ts'
import type { TraceQuestion } from '../../trace/trace-question.ts'
import type { InputRead } from '../../vm/ruby-engine.ts'
import type { Asker } from './trace-questions.ts'
import type { TracedCode } from './traced-code.ts'

/** A call of a function, or the rendering of a template. */
export interface RubyCall {
  /** Name for messages: `template('web/vhost.erb')`, or the name of the function. */
  readonly label: string
  /** Undefined for code whose calls are not cached. */
  readonly code: TracedCode | undefined
  readonly args: readonly Value[]
  readonly context: CallContext
  /** Queries whose replies determine the code that runs: for a template given by name, its path and its content. */
  readonly identifiedBy?: readonly TraceQuestion[]
  make(): Json
}

/** A traced call; `call` is kept as long as the call may have to run. */
export interface CallWork extends TracedWork<Asker, Json> {
  readonly call: RubyCall
  /** Inputs that the call itself has read, without the inputs of nested calls. */
  readonly sights: InputRead[]
  /** True if the call loaded code, which may cache what it reads. */
  hasLoaded: boolean
  /** Names of the variables that the call has set in its scope in Ruby. */
  readonly assigned: Set<string>
}
