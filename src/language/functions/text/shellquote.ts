import { refuse } from '../../ruby-semantics/argument-error.ts'
import { rubyInspect } from '../../types/printing/ruby-text.ts'
import { rubyClass } from '../../types/ruby-class.ts'
import { flatten } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { isType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { defineLegacyFunction, getLegacyName } from '../definition/legacy-function.ts'

/**
 * `shellquote`: leaves a safe string unquoted; uses double quotes for others if possible, else single quotes; flattens
 * arrays.
 */
export const shellquote = defineLegacyFunction(
  'shellquote',
  'Quotes words for the Bourne shell and joins them with spaces.',
  -1,
  (args) => flatten(args).map(quoted).join(' '),
)

function quoted(word: Value): string {
  if (typeof word !== 'string') {
    if (word instanceof Hash || isType(word))
      return refuse(`no implicit conversion of ${getLegacyName(word)} into String`)
    const message = `undefined method \`length' for ${rubyInspect(word)}:${rubyClass(word)}`
    return refuse(message)
  }
  if (/^[a-zA-Z0-9@%_+=:,./-]+$/.test(word)) return word
  if (!/[!"`$\\]/.test(word)) return `"${word}"`
  if (!word.includes("'")) return `'${word}'`
  return `"${word.replace(/[!"`$\\]/g, '\\$&')}"`
}
