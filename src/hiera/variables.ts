import { fail } from '../base/issue.ts'
import type { CallContext } from '../language/host.ts'
import type { Hash } from '../language/values/hash.ts'
import type { Value } from '../language/values/value.ts'
import { hieraIssues } from './issues.ts'

/** A variable as data names it: `facts`, `::environment`, `ntp::servers`. Throws UNKNOWN_VARIABLE where strict. */
export function readVariable(name: string, { host, scope }: CallContext, defaultValues: Hash | undefined): Value {
  const bare = name.replace(/^::/, '')
  const end = bare.lastIndexOf('::')
  if (end === -1) {
    const from = name.startsWith('::') ? topOf(scope) : scope
    if (from.has(bare)) return from.get(bare)
  } else {
    const owner = bare.slice(0, end)
    if (owner === 'settings') return host.setting(bare.slice(end + 2))
    const found = host.catalog?.classScope(owner)
    if (found?.has(bare.slice(end + 2))) return found.get(bare.slice(end + 2))
  }
  if (defaultValues?.has(name)) return defaultValues.get(name)
  if (host.strictVariables) fail(hieraIssues.UNKNOWN_VARIABLE, { name })
  return undefined
}

function topOf(scope: CallContext['scope']): CallContext['scope'] {
  let top = scope
  while (top.enclosing) top = top.enclosing
  return top
}
