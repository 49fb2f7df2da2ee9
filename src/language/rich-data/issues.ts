import { defineIssues } from '../../base/issue.ts'
import { getArticle } from '../../base/text/article.ts'
import { getRubyClassName } from '../types/ruby-class.ts'
import type { Value } from '../values/value.ts'

interface Converted {
  readonly path: string
  readonly value: Value
  readonly text: string
}

function formatClassName(value: Value): string {
  const name = getRubyClassName(value)
  return `${getArticle(name)} ${name}`
}

/** Error definitions for values that rich data cannot represent. Puppet: pops/issues.rb. */
export const richDataIssues = defineIssues({
  SERIALIZATION_ENDLESS_RECURSION: {
    text: ({ typeName }: { typeName: string }) =>
      `Endless recursion detected when attempting to serialize value of class ${typeName}`,
  },
  SERIALIZATION_NOT_UTF8: {
    text: ({ path }: { path: string }) =>
      `${path} contains a String that is not valid UTF-8. It cannot be converted to JSON`,
    hint: () => 'Only file content can contain arbitrary bytes. Use binary_file() or base64 for other values.',
  },
  SERIALIZATION_DEFAULT_CONVERTED_TO_STRING: {
    text: ({ path }: { path: string }) =>
      `${path} contains the special value default. It will be converted to the String 'default'`,
  },
  SERIALIZATION_UNKNOWN_CONVERTED_TO_STRING: {
    text: ({ path, value, text }: Converted) =>
      `${path} contains ${formatClassName(value)} value. It will be converted to the String '${text}'`,
  },
  SERIALIZATION_UNKNOWN_KEY_CONVERTED_TO_STRING: {
    text: ({ path, value, text }: Converted) =>
      `${path} contains a hash with ${formatClassName(value)} key. It will be converted to the String '${text}'`,
  },
})
