import type { CallContext, LogLevel } from '../host.ts'
import { toText } from '../types/printing/text.ts'
import type { Value } from '../values/value.ts'
import { type DefinedFunction, defineFunction } from './definition/define-function.ts'

/** `debug`: logs on the compiling host; printed with `--debug`. */
export const debug = defineLogFunction('debug')
/** `info`: logs on the compiling host; printed with `--verbose` or `--debug`. */
export const info = defineLogFunction('info')
/** `notice`: logs on the compiling host; the lowest level that is always printed. */
export const notice = defineLogFunction('notice')
/** `warning`: logs on the compiling host; compilation continues. */
export const warning = defineLogFunction('warning')
/** `err`: logs on the compiling host as `Error:`; compilation continues. */
export const err = defineLogFunction('err')
/** `alert`: logs on the compiling host; more severe than `err`, less severe than `emerg`. */
export const alert = defineLogFunction('alert')
/** `emerg`: logs on the compiling host as `Emergency:`. */
export const emerg = defineLogFunction('emerg')
/** `crit`: logs on the compiling host as `Critical:`; the most severe level in Puppet's order (util/log.rb). */
export const crit = defineLogFunction('crit')

function defineLogFunction(level: LogLevel): DefinedFunction {
  return defineFunction(level, `Logs the arguments on the server at the level ${level}.`, {
    'Any *$values >> Undef': (values: readonly Value[], { host, scope, span }: CallContext) => {
      host.log(level, values.map(toText).join(' '), scope, span)
      return undefined
    },
  })
}
