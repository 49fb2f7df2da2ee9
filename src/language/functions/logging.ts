import type { CallContext, LogLevel } from '../host.ts'
import { toText } from '../types/printing/text.ts'
import type { Value } from '../values/value.ts'
import { type DefinedFunction, defineFunction } from './definition/define-function.ts'

/** `debug`: to the compiling host's log, shown with `--debug`. */
export const debug = logFunction('debug')
/** `info`: to the compiling host's log, shown with `--verbose` or `--debug`. */
export const info = logFunction('info')
/** `notice`: to the compiling host's log, the lowest level that is always shown. */
export const notice = logFunction('notice')
/** `warning`: to the compiling host's log; compilation goes on. */
export const warning = logFunction('warning')
/** `err`: to the compiling host's log, shown as `Error:`; compilation goes on. */
export const err = logFunction('err')
/** `alert`: to the compiling host's log, worse than `err`, less than `emerg`. */
export const alert = logFunction('alert')
/** `emerg`: to the compiling host's log, shown as `Emergency:`. */
export const emerg = logFunction('emerg')
/** `crit`: to the compiling host's log, shown as `Critical:`; the worst in Puppet's order (util/log.rb). */
export const crit = logFunction('crit')

function logFunction(level: LogLevel): DefinedFunction {
  return defineFunction(level, `Logs the arguments on the server at the level ${level}.`, {
    'Any *$values >> Undef': (values: readonly Value[], { host, scope, span }: CallContext) => {
      host.log(level, values.map(toText).join(' '), scope, span)
      return undefined
    },
  })
}
