import type { CallContext, LogLevel } from '../host.ts'
import { toText } from '../types/printing/text.ts'
import type { Value } from '../values/value.ts'
import { type DefinedFunction, defineFunction } from './definition/define-function.ts'

export const debug = logFunction('debug')
export const info = logFunction('info')
export const notice = logFunction('notice')
export const warning = logFunction('warning')
export const err = logFunction('err')
export const alert = logFunction('alert')
export const emerg = logFunction('emerg')
export const crit = logFunction('crit')

function logFunction(level: LogLevel): DefinedFunction {
  return defineFunction(level, `Logs the arguments on the server at the level ${level}.`, {
    'Any *$values >> Undef': (values: readonly Value[], { host, scope, span }: CallContext) => {
      host.log(level, values.map(toText).join(' '), scope, span)
      return undefined
    },
  })
}
