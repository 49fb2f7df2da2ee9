import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { inspectValue } from '../../types/printing/ruby-text.ts'
import { getRubyClassName } from '../../types/ruby-class.ts'
import { flattenArrays } from '../../values/flatten.ts'
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
  (args) => flattenArrays(args).map(quoteWord).join(' '),
)

function quoteWord(word: Value): string {
  if (typeof word !== 'string') {
    if (word instanceof Hash || isType(word))
      return throwArgumentError(`no implicit conversion of ${getLegacyName(word)} into String`)
    const message = `undefined method \`length' for ${inspectValue(word)}:${getRubyClassName(word)}`
    return throwArgumentError(message)
  }
  if (/^[a-zA-Z0-9@%_+=:,./-]+$/.test(word)) return word
  if (!/[!"`$\\]/.test(word)) return `"${word}"`
  if (!word.includes("'")) return `'${word}'`
  return `"${word.replace(/[!"`$\\]/g, '\\$&')}"`
}
