import type { Scope } from '../../language/evaluator/scope.ts'
import type { EvaluatedAttribute } from '../../language/host.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { isEqualValue } from '../../language/values/equality.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithLocation, issues } from '../request/issues.ts'
import type { SetParameter } from './catalog-resource.ts'
import { type Compilation, getFrame } from './compilation.ts'

/**
 * Evaluates a default such as `File { mode => '0644' }`. The default applies to resources declared in this scope, and
 * in scopes that code of this scope declares.
 */
export function setDefaults(
  compilation: Compilation,
  typeName: string,
  attributes: readonly EvaluatedAttribute[],
  scope: Scope,
): void {
  const { defaults, definition } = getFrame(compilation, scope)
  const type = capitalizeSegments(typeName)
  const known = defaults.get(type) ?? new Map<string, SetParameter>()
  defaults.set(type, known)
  for (const { name, value, span } of attributes) {
    if (known.has(name)) failWithLocation(issues.DUPLICATE_RESOURCE_DEFAULT, { type, parameter: name }, span)
    known.set(name, { value, source: definition, span })
  }
}

/** Returns the defaults for a type in a scope; defaults of nearer scopes take precedence. */
export function getResourceDefaults(
  compilation: Compilation,
  type: string,
  scope: Scope,
): ReadonlyMap<string, SetParameter> {
  let found: Map<string, SetParameter> | undefined
  for (let each: Scope | undefined = scope.frame; each; each = each.declaredIn?.frame) {
    const defaults = compilation.frames.get(each)?.defaults.get(type)
    if (!defaults) continue
    found ??= new Map()
    for (const [name, parameter] of defaults) {
      if (!found.has(name)) found.set(name, parameter)
    }
  }
  return found ?? none
}

/** True if the value equals the default in effect in the scope. */
export function isDefaultValue(
  compilation: Compilation,
  type: string,
  name: string,
  value: Value,
  scope: Scope,
): boolean {
  for (let each: Scope | undefined = scope.frame; each; each = each.declaredIn?.frame) {
    const parameter = compilation.frames.get(each)?.defaults.get(type)?.get(name)
    if (parameter && isEqualValue(parameter.value, value)) return true
  }
  return false
}

const none: ReadonlyMap<string, SetParameter> = new Map()
