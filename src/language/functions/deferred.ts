import { createDiagnostic, PuppetError, throwIssue } from '../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import type { CallContext } from '../host.ts'
import { Binary } from '../values/binary.ts'
import { type Callable, callByName } from '../values/callable.ts'
import { isDeferred } from '../values/deferred.ts'
import { findSensitive } from '../values/find-sensitive.ts'
import { Hash } from '../values/hash.ts'
import type { ObjectValue } from '../values/object.ts'
import { Sensitive } from '../values/sensitive.ts'
import type { Value } from '../values/value.ts'
import { functionIssues } from './definition/issues.ts'

/** Finds a function for `call()` or a Deferred. Throws CALLED_UNKNOWN_FUNCTION. */
export function findFunction(name: string, { host, scope }: CallContext): Callable {
  return host.findFunction(name, scope) ?? throwIssue(functionIssues.CALLED_UNKNOWN_FUNCTION, { name })
}

/** Receives the Sensitive arguments of the calls. */
export type SensitiveListener = (value: Sensitive) => void

/**
 * Replaces each Deferred in a value with the result of its call, and each Binary with its bytes. An error contains the
 * name of the function. Puppet: pops/evaluator/deferred_resolver.rb.
 */
export function resolveDeferred(value: Value, context: CallContext, onSensitive: SensitiveListener = () => {}): Value {
  const resolve = (item: Value): Value => {
    if (isDeferred(item)) return callDeferred(item)
    if (Array.isArray(item)) return item.map(resolve)
    if (item instanceof Sensitive) return new Sensitive(resolve(item.unwrap()))
    if (item instanceof Binary) return decodeLosslessUtf8(item.bytes)
    return item instanceof Hash ? Hash.of(Array.from(item, ([key, each]) => [key, resolve(each)])) : item
  }
  const callDeferred = ({ attributes }: ObjectValue): Value => {
    const name = attributes.get('name') as string
    const args = ((attributes.get('arguments') as readonly Value[] | undefined) ?? []).map(resolve)
    for (const each of findSensitive(args)) onSensitive(each)
    return callNamed(name, args, context)
  }
  return resolve(value)
}

/** Calls a function by name. `$name` with keys reads the variable `name` and digs into it. */
function callNamed(name: string, args: readonly Value[], context: CallContext): Value {
  const isVariable = name.startsWith('$')
  const callable = findFunction(isVariable ? 'dig' : name, context)
  try {
    if (isVariable) return callable.call(context, [context.scope.get(name.slice(1)), ...args])
    return callByName(callable, context, args)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message } = createDiagnostic(functionIssues.DEFERRED_FAILED, { name, why: error.diagnostic.message })
    throw new PuppetError({ ...error.diagnostic, message }, { cause: error })
  }
}
