import { type ExactJson, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { type ExportedResource, type ExportQuery, getParameterValue } from '../../model/exported-resource.ts'

/**
 * True if a collector with this query selects the resource. Values are compared as in PuppetDB: by
 * type and case, and arrays as a whole; a missing parameter never equals a value.
 */
export function matchesExportQuery(resource: ExportedResource, query: ExportQuery): boolean {
  switch (query.kind) {
    case 'and':
      return matchesExportQuery(resource, query.left) && matchesExportQuery(resource, query.right)
    case 'or':
      return matchesExportQuery(resource, query.left) || matchesExportQuery(resource, query.right)
    case '==':
      return isEqualParameter(resource, query.name, query.value)
    case '!=':
      return !isEqualParameter(resource, query.name, query.value)
  }
}

/** True if a parameter, or any of several tags, equals the value. */
function isEqualParameter(resource: ExportedResource, name: string, value: ExactJson): boolean {
  if (name === 'title') return resource.title === value
  if (name === 'tag') return (value as readonly string[]).some((tag) => resource.tags.includes(tag))
  const actual = getParameterValue(resource, name)
  return actual !== null && isSameJson(actual, value)
}

function isSameJson(a: ExactJson | undefined, b: ExactJson | undefined): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSameJson(each, b[index]))
  if (isExactObject(a)) {
    if (!isExactObject(b)) return false
    const entries = [...getEntries(a)]
    return (
      entries.length === [...getEntries(b)].length &&
      entries.every(([key, value]) => isSameJson(value, getMember(b, key)))
    )
  }
  if (a instanceof Number) return b instanceof Number && a.valueOf() === b.valueOf()
  return a === b
}
