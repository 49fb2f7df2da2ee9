import { decodeLosslessUtf8, encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseCharacterSet } from '../../ruby-semantics/text/character-set.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import type { Value } from '../../values/value.ts'
import { failWrongCount } from './issues.ts'
import { failNoMethod, failNotString, toLegacyText } from './ruby.ts'

/** `dos2unix`: replaces CR LF by LF; keeps a CR without LF. */
export const dos2unix = defineLegacyFunction(
  'dos2unix',
  'Converts DOS line endings to Unix line endings.',
  1,
  ([text]) =>
    typeof text === 'string'
      ? text.replaceAll('\r\n', '\n')
      : throwArgumentError('dos2unix(): Requires string as argument'),
)

/** `unix2dos`: replaces LF, and all CRs before it, by CR LF. */
export const unix2dos = defineLegacyFunction(
  'unix2dos',
  'Converts Unix line endings to DOS line endings.',
  1,
  ([text]) =>
    typeof text === 'string'
      ? text.replace(/(?<!\r)\r*\n/g, '\r\n')
      : throwArgumentError('unix2dos(): Requires string as argument'),
)

/** `swapcase`: swaps the case of a string, or of the strings in an array. */
export const swapcase = defineLegacyFunction('swapcase', 'Swaps upper and lower case.', -1, (args) => {
  if (args.length === 0) return failWrongCount('swapcase', 0, '1')
  return mapTexts('swapcase', args[0], (text) =>
    [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join(''),
  )
})

/**
 * `uriescape`: escapes bytes as `%XX`, except the reserved and unreserved characters of RFC 2396
 * and 2732.
 */
export const uriescape = defineLegacyFunction('uriescape', 'Escapes a string for a URI.', -1, (args) => {
  if (args.length === 0) return failWrongCount('uriescape', 0, '1')
  return mapTexts('uriescape', args[0], (text) =>
    text.replace(/[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,[\]]/gu, (found) =>
      [...encodeLosslessUtf8(found)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    ),
  )
})

/** Applies a change to a string, or to the strings in an array. */
function mapTexts(name: string, value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? change(each) : each))
  return throwArgumentError(`${name}(): Requires either array or string to work with`)
}

/**
 * `squeeze`: replaces runs of a character by a single one, for all characters or for a set as in Ruby's
 * `String#squeeze` (see `parseCharacterSet`).
 */
export const squeeze = defineLegacyFunction(
  'squeeze',
  'Replaces runs of the same character with one character.',
  -1,
  (args) => {
    if (args.length !== 1 && args.length !== 2)
      return throwArgumentError(`squeeze(): Wrong number of arguments given ${args.length} for 2 or 1`)
    const [item, only] = args
    return Array.isArray(item) ? item.map((each) => squeezeText(each, only)) : squeezeText(item, only)
  },
)

function squeezeText(text: Value, only: Value): string {
  if (typeof text !== 'string') return failNoMethod('squeeze', text)
  if (only !== undefined && only !== false && typeof only !== 'string') return failNotString(only)
  const isIn = typeof only === 'string' ? parseCharacterSet(only) : () => true
  const characters = [...text]
  return characters.filter((each, index) => each !== characters[index - 1] || !isIn(each)).join('')
}

/** `basename`: Ruby's `File.basename`; the suffix `.*` matches any extension. */
export const basename = defineLegacyFunction(
  'basename',
  'Returns the last component of a path, without an optional suffix.',
  -1,
  (args) => {
    if (args.length === 0) return throwArgumentError('basename(): No arguments given')
    if (args.length > 2) return throwArgumentError(`basename(): Too many arguments given (${args.length})`)
    const [path, suffix] = args
    if (typeof path !== 'string') return throwArgumentError('basename(): Requires string as first argument')
    if (args.length === 1) return getLastPart(path)
    if (typeof suffix !== 'string') return throwArgumentError('basename(): Requires string as second argument')
    const name = getLastPart(path)
    if (suffix === '.*') return name.replace(/(?<=.)\.[^.]*$/, '')
    return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
  },
)

function getLastPart(path: string): string {
  if (path === '') return ''
  const bare = trimTrailing(path, '/')
  return bare === '' ? '/' : bare.slice(bare.lastIndexOf('/') + 1)
}

/** `dirname`: Ruby's `File.dirname`; `.` for a name without a folder. */
export const dirname = defineLegacyFunction('dirname', 'Returns the directory of a path.', -1, (args) => {
  if (args.length === 0) return throwArgumentError('dirname(): No arguments given')
  if (args.length > 1) return throwArgumentError(`dirname(): Too many arguments given (${args.length})`)
  const [path] = args
  if (typeof path !== 'string') return throwArgumentError('dirname(): Requires string as argument')
  if (path === '') return throwArgumentError('dirname(): Requires a non-empty string as argument')
  const bare = trimTrailing(path, '/')
  if (bare === '') return '/'
  const parent = bare.includes('/') ? trimTrailing(bare.slice(0, bare.lastIndexOf('/')), '/') || '/' : '.'
  return parent.replace(/^\/+/, '/')
})

/** `stdlib::extname`: returns the extension of a file name; empty for `.bashrc`. */
export const extname = defineFunction('stdlib::extname', 'Returns the extension of a file name, with its dot.', {
  'String $filename >> String': (path: string) => {
    const name = getLastPart(path).replace(/^\.+/, '')
    const dot = name.lastIndexOf('.')
    return dot > 0 ? name.slice(dot) : ''
  },
})

/** `stdlib::start_with`: compares prefixes literally, not as patterns. */
export const startWith = defineFunction(
  'stdlib::start_with',
  'Returns true if a string starts with one of the prefixes.',
  {
    'String $test_string, Variant[String[1], Array[String[1], 1]] $prefixes >> Boolean': (
      text: string,
      prefixes: string | readonly string[],
    ) => [prefixes].flat().some((each) => text.startsWith(each)),
  },
)

/** `stdlib::end_with`: compares suffixes literally, not as patterns. */
export const endWith = defineFunction('stdlib::end_with', 'Returns true if a string ends with one of the suffixes.', {
  'String $test_string, Variant[String[1], Array[String[1], 1]] $suffixes >> Boolean': (
    text: string,
    suffixes: string | readonly string[],
  ) => [suffixes].flat().some((each) => text.endsWith(each)),
})

/** `stdlib::xml_encode`: Ruby's `String#encode(xml:)`; `attr` also adds double quotes. */
export const xmlEncode = defineFunction('stdlib::xml_encode', 'Escapes a string for XML, as text or as an attribute.', {
  "String $str, Enum['text', 'attr'] $type? >> String": (text: string, type = 'text') => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return type === 'attr' ? `"${escaped.replaceAll('"', '&quot;')}"` : escaped
  },
})

/** `batch_escape` and `stdlib::batch_escape`: add double quotes, double the quotes inside, and escape `$` and `\`. */
export const batchEscape = defineEscaping(
  'batch_escape',
  'Escapes a string as one argument of a batch file.',
  (text) => `"${text.replace(/["$\\]/g, (found) => (found === '"' ? '""' : `\\${found}`))}"`,
)

/** `powershell_escape` and `stdlib::powershell_escape`: escape with backticks; add no surrounding quotes. */
export const powershellEscape = defineEscaping(
  'powershell_escape',
  'Escapes a string as one PowerShell argument.',
  (text) => text.replace(/[ '`|\n$"]/g, (found) => (found === '"' ? '\\`"' : `\`${found}`)),
)

/** `shell_escape` and `stdlib::shell_escape`: escape with backslashes, like Ruby's `Shellwords.shellescape`. */
export const shellEscape = defineEscaping('shell_escape', 'Escapes a string as one word of a shell.', escapeForShell)

/** Defines a function under its old name and under its stdlib 9 name. */
function defineEscaping(name: string, doc: string, escaped: (text: string) => string) {
  return [name, `stdlib::${name}`].map((each) =>
    defineFunction(each, doc, { 'Any $string': (value: Value) => escaped(formatAsString(value)) }),
  )
}

/** Escapes a text for a shell, like Ruby's `Shellwords.shellescape`. */
function escapeForShell(text: string): string {
  if (text === '') return "''"
  return text.replace(/[^A-Za-z0-9_\-.,:+/@\n]/gu, '\\$&').replaceAll('\n', "'\n'")
}

/** `shell_join`: Ruby's `Shellwords.shelljoin`. */
export const shellJoin = defineLegacyFunction(
  'shell_join',
  'Joins the words of an array to a shell command line.',
  -1,
  (args) => {
    if (args.length !== 1) return failWrongCount('shell_join', args.length, '1')
    const [words] = args
    if (!Array.isArray(words)) return throwArgumentError(`First argument is not an Array: ${inspectValue(words)}`)
    return words.map((word) => escapeForShell(formatAsString(word))).join(' ')
  },
)

/** `shell_split`: Ruby's `Shellwords.shellsplit`. Throws RUNTIME_ERROR for an unclosed quote. */
export const shellSplit = defineLegacyFunction('shell_split', 'Splits a shell command line into words.', -1, (args) => {
  if (args.length !== 1) return failWrongCount('shell_split', args.length, '1')
  return splitWords(toLegacyText(args[0]))
})

/** Splits a command line into words, like Ruby's `Shellwords.shellsplit`. */
function splitWords(line: string): string[] {
  const words: string[] = []
  let field = ''
  const token = /\s*(?:([^\0\s\\'"]+)|'([^\0']*)'|"((?:[^\0"\\]|\\[^\0])*)"|(\\[^\0]?)|(\S))(?:(\s|$)|)/gu
  for (const [, word, single, double, pair, garbage, separator] of line.matchAll(token)) {
    if (garbage !== undefined) return throwArgumentError(`Unmatched quote: ${inspectValue(line)}`)
    field += word ?? single ?? double?.replace(/\\([$`"\\\n])/g, '$1') ?? pair!.replace(/\\(.)/, '$1')
    if (separator !== undefined) {
      words.push(field)
      field = ''
    }
  }
  return words
}

/**
 * `base64`: `default` breaks lines after 60 characters; `strict` and `urlsafe` do not. A decoded string may contain
 * bytes that are not UTF-8.
 */
export const base64 = defineLegacyFunction('base64', 'Encodes or decodes a base64 string.', -1, (args) => {
  if (args.length < 2) return throwArgumentError(`base64(): Wrong number of arguments (${args.length}; must be >= 2)`)
  const [action, text] = args
  const method: Value = args.length > 2 ? args[2] : 'default'
  if (action !== 'encode' && action !== 'decode')
    return throwArgumentError("base64(): the first argument must be one of 'encode' or 'decode'")
  if (typeof text !== 'string') return throwArgumentError('base64(): the second argument must be a string to base64')
  if (typeof method !== 'string' || !['default', 'strict', 'urlsafe'].includes(method))
    return throwArgumentError("base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'")
  return action === 'encode' ? encodeBase64(text, method) : decodeBase64(text, method)
})

function encodeBase64(text: string, method: string): string {
  const strict = encodeLosslessUtf8(text).toString('base64')
  if (method === 'default') return strict.replace(/.{1,60}/g, '$&\n')
  return method === 'strict' ? strict : strict.replaceAll('+', '-').replaceAll('/', '_')
}

function decodeBase64(text: string, method: string): string {
  if (method === 'default') return decodeLosslessUtf8(Buffer.from(text.replace(/[^A-Za-z0-9+/=].*?/g, ''), 'base64'))
  const plain = method === 'urlsafe' ? text.replaceAll('-', '+').replaceAll('_', '/') : text
  const padded =
    method === 'urlsafe' && !plain.endsWith('=') ? plain.padEnd(Math.ceil(plain.length / 4) * 4, '=') : plain
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(padded))
    return throwArgumentError('invalid base64')
  return decodeLosslessUtf8(Buffer.from(padded, 'base64'))
}
