import { createExactObject, type ExactJson } from '../../../base/json/exact-json.ts'
import { toRichData } from '../../../language/rich-data/rich-data.ts'
import { toText } from '../../../language/types/printing/text.ts'
import { Hash } from '../../../language/values/hash.ts'
import { isType } from '../../../language/values/type.ts'
import type { Value } from '../../../language/values/value.ts'

/**
 * Converts a value to plain JSON; values without a JSON type become strings. Puppet:
 * serialization/to_stringified_converter.rb.
 */
export function toStringifiedJson(value: Value): ExactJson {
  if (Array.isArray(value)) return value.map(toStringifiedJson)
  if (value instanceof Hash)
    return createExactObject(Array.from(value, ([key, each]) => [escapeKey(key), toStringifiedJson(each)] as const))
  if (isType(value) && value.kind === 'Object' && !value.parameters && value.name !== undefined) return value.name
  return toRichData(value, { richData: false, bytes: 'binary', warn: () => {} })
}

/** Escapes keys that could be mistaken for the type tags of values. */
function escapeKey(key: Value): string {
  const name = typeof key === 'string' ? key : toText(key)
  return name === '__ptype' || name === '__pvalue' ? `reserved key: ${name}` : name
}
