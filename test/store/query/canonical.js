// JSON in one form: keys sorted, numbers as PostgreSQL writes them, lists that have no order sorted.
import { getEntries, isExactObject } from '#built/base/json/exact-json.js'
import { formatExactJson } from '#built/base/json/json-text.js'

/** Lists within a row that no server promises to keep in order, by the key that holds them. */
const unordered = new Set(['data', 'tags', 'package_inventory', 'inputs'])

/** The canonical text of data. */
export function canonicalText(json) {
  if (Array.isArray(json)) return `[${json.map(canonicalText).join(',')}]`
  if (!isExactObject(json)) return formatExactJson(json)
  const members = Array.from(getEntries(json), ([key, value]) => `${JSON.stringify(key)}:${memberText(key, value)}`)
  return `{${members.sort().join(',')}}`
}

function memberText(key, value) {
  if (!Array.isArray(value) || !unordered.has(key)) return canonicalText(value)
  return `[${value.map(canonicalText).sort().join(',')}]`
}
