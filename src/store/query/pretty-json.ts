import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'

/** Formats JSON on several lines like PuppetDB, which indents objects only. */
export function formatPrettyJson(json: ExactJson | undefined, depth = 0): string {
  if (Array.isArray(json))
    return json.length === 0 ? '[ ]' : `[ ${json.map((each: ExactJson) => formatPrettyJson(each, depth)).join(', ')} ]`
  if (!isExactObject(json)) return formatExactJson(json ?? null)
  const members = Array.from(getEntries(json), ([key, value]) => {
    return `${'  '.repeat(depth + 1)}${formatExactJson(key)} : ${formatPrettyJson(value, depth + 1)}`
  })
  return members.length === 0 ? '{ }' : `{\n${members.join(',\n')}\n${'  '.repeat(depth)}}`
}
