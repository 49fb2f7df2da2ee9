import { throwIssue } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'
import { type Callable, callByName } from '../values/callable.ts'
import { isDeferred } from '../values/deferred.ts'
import { Hash } from '../values/hash.ts'
import type { ObjectValue } from '../values/object.ts'
import { Sensitive } from '../values/sensitive.ts'
import type { Value } from '../values/value.ts'
import { functionIssues } from './definition/issues.ts'

/** Finds a function for `call()` or a Deferred. Throws CALLED_UNKNOWN_FUNCTION. */
export function findFunction(name: string, { host, scope }: CallContext): Callable {
  return host.findFunction(name, scope) ?? throwIssue(functionIssues.CALLED_UNKNOWN_FUNCTION, { name })
}

/** Replaces each Deferred in a value with the result of its call. */
export function resolveDeferred(value: Value, context: CallContext): Value {
  if (isDeferred(value)) return callDeferred(value, context)
  if (Array.isArray(value)) return value.map((item) => resolveDeferred(item, context))
  if (value instanceof Sensitive) return new Sensitive(resolveDeferred(value.unwrap(), context))
  if (!(value instanceof Hash)) return value
  return Hash.of(Array.from(value, ([key, item]) => [key, resolveDeferred(item, context)]))
}

/**
 * Calls a Deferred. `Deferred('$name', [a, b])` reads the variable `name` and digs into it; other names are function
 * names.
 */
function callDeferred(deferred: ObjectValue, context: CallContext): Value {
  const name = deferred.attributes.get('name') as string
  const given = (deferred.attributes.get('arguments') as readonly Value[] | undefined) ?? []
  const args = given.map((item) => resolveDeferred(item, context))
  if (!name.startsWith('$')) return callByName(findFunction(name, context), context, args)
  return findFunction('dig', context).call(context, [context.scope.get(name.slice(1)), ...args])
}
