import { type ExactJson, entriesOf, isExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'

/** Formats JSON on several lines like PuppetDB, which indents objects only. */
export function prettyJson(json: ExactJson | undefined, depth = 0): string {
  if (Array.isArray(json))
    return json.length === 0 ? '[ ]' : `[ ${json.map((each: ExactJson) => prettyJson(each, depth)).join(', ')} ]`
  if (!isExactObject(json)) return printJson(json ?? null)
  const members = Array.from(entriesOf(json), ([key, value]) => {
    return `${'  '.repeat(depth + 1)}${printJson(key)} : ${prettyJson(value, depth + 1)}`
  })
  return members.length === 0 ? '{ }' : `{\n${members.join(',\n')}\n${'  '.repeat(depth)}}`
}
