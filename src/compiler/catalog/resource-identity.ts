import { throwIssue } from '../../base/issue.ts'
import { findMatch } from '../../language/ruby-semantics/regexp/match.ts'
import { toText } from '../../language/types/printing/text.ts'
import type { Value } from '../../language/values/value.ts'
import { getPrimaryNamevar, type NativeType } from '../code/native-types.ts'
import { issues } from '../request/issues.ts'

/**
 * Converts a part of a title with the type's Ruby code. `at` contains the index of the title pattern and the index of
 * the part in the pattern.
 */
export type ChangeTitlePart = (type: string, at: readonly [number, number], text: Value) => Value

/**
 * Returns the attributes that a title contains according to the type's title patterns. Throws TITLE_MISMATCH or
 * MISSING_TITLE_PATTERNS. Puppet: Resource#parse_title, Type.title_patterns.
 */
export function parseResourceTitle(type: NativeType, title: string, change: ChangeTitlePart): Map<string, Value> {
  const { titlePatterns, namevars } = type
  if (!titlePatterns) return namevars.length === 1 ? new Map([[namevars[0]!, title]]) : failMissingTitlePatterns()
  for (const [index, { pattern, parts }] of titlePatterns.entries()) {
    const match = findMatch(pattern, title)
    if (!match) continue
    const values = parts.map(({ attribute, changed }, part): [string, Value] => {
      const text = match.groups[part + 1]
      return [attribute, changed ? change(type.name, [index, part], text) : text]
    })
    return new Map(values.filter(([, value]) => value !== undefined))
  }
  return throwIssue(issues.TITLE_MISMATCH, { title })
}

/**
 * Returns the identity of a resource: the values of its namevars, in alphabetical order of the namevars. Puppet:
 * Resource#uniqueness_key.
 */
export function computeUniquenessKey(
  type: NativeType,
  reference: { readonly type: string; readonly title: string },
  given: (name: string) => Value,
  change: ChangeTitlePart,
): (string | undefined)[] {
  const [only] = type.namevars
  if (!type.titlePatterns && type.namevars.length === 1) return [toText(given(only!) ?? reference.title)]
  const inTitle = parseResourceTitle(type, reference.title, change)
  const getAttribute = (name: string): Value => given(name) ?? inTitle.get(name)
  const main = getPrimaryNamevar(type)
  const name = getAttribute(main) ?? getAttribute('name') ?? `${reference.type}/${reference.title}`
  return [...type.namevars].sort().map((namevar) => {
    const value = getAttribute(namevar) ?? (namevar === main || namevar === 'name' ? name : undefined)
    return value === undefined ? undefined : toText(value)
  })
}

function failMissingTitlePatterns(): never {
  return throwIssue(issues.MISSING_TITLE_PATTERNS, {})
}
