import fc from 'fast-check'
import { PuppetError } from '../../../dist/base/issue.js'
import { getEntries, isExactObject } from '../../../dist/base/json/exact-json.js'
import { formatExactJson, parseJson } from '../../../dist/base/json/json-text.js'
import { findJsonError } from '../../../dist/language/syntax/validation/json-syntax.js'
import { allowing, must, textOf } from '../target.js'

/**
 * JSON: parseJson says what JSON.parse says, and more exactly; what is printed reads as the same again.
 *
 * @type {import('../target.js').Target}
 */
export default {
  name: 'json',
  seeds: [
    '{"a":[1,2.5,-0,1.0,1e20,12345678901234567890,null,true],"10":"x","9":{"b":"\\u00e9\\n\\"\\\\"}}',
    '[[],{},"",0,-1e-7,1E+2,0.1]',
    ' {"__proto__": {"a": 1}, "a" : 1 , "a": 2}\n',
  ],
  dictionary: [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\u0030',
    '\\ud800',
    '\\"',
    '\\\\',
    'true',
    'false',
    'null',
    '1.0',
    '1e3',
    '-0',
    '-0.0',
    '1e400',
    '9007199254740993',
    '"10":',
    '"__proto__":',
    'NaN',
    'Infinity',
    '/*',
    '//',
    '1234567890123456',
  ],
  grammar: fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.json({ stringUnit: 'binary' }),
    fc.array(fc.bigInt().map(String)).map((each) => `[${each}]`),
  ),
  run(bytes) {
    const text = textOf(bytes)
    allowing([], () => findJsonError(text))
    const plain = allowing([SyntaxError], () => [JSON.parse(text)])
    const exact = allowing([SyntaxError], () => [parseJson(text)])
    must((plain === undefined) === (exact === undefined), 'one reads it, and the other does not')
    if (!plain || !exact) return
    must(isSame(plain[0], exact[0]), `not the same: ${JSON.stringify(plain[0])}`)
    const printed = allowing([PuppetError], () => formatExactJson(exact[0]))
    if (printed === undefined) return
    must(formatExactJson(parseJson(printed)) === printed, `printed, it reads as something else: ${printed}`)
    must(
      formatExactJson(parseJson(formatExactJson(exact[0], 2))) === printed,
      'printed in lines, it reads as something else',
    )
  },
}

/**
 * Whether exact data is the plain data, but for digits and order.
 *
 * @param {any} plain
 * @param {any} exact
 * @returns {boolean}
 */
function isSame(plain, exact) {
  if (Array.isArray(plain))
    return Array.isArray(exact) && plain.length === exact.length && plain.every((each, at) => isSame(each, exact[at]))
  if (typeof plain === 'number') return Object.is(plain, Number(exact)) || (plain === 0 && Number(exact) === 0)
  if (typeof plain !== 'object' || plain === null) return plain === exact
  if (!isExactObject(exact)) return false
  const entries = [...getEntries(exact)]
  return (
    entries.length === Object.keys(plain).length &&
    entries.every(([key, value]) => Object.hasOwn(plain, key) && isSame(plain[key], value))
  )
}
