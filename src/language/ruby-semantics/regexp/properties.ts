import { type CharacterSet, complementSet, makeSet } from './character-set.ts'

/** Content of the JavaScript class (flag `v`) for each name in Ruby's `[:name:]` and `\p{Name}`. */
const classes: Readonly<Record<string, string>> = {
  alnum: '\\p{Alphabetic}\\p{Nd}',
  alpha: '\\p{Alphabetic}',
  ascii: '\\x00-\\x7F',
  blank: '\\p{Zs}\\t',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '[\\p{Any}--[\\s\\p{Cc}\\p{Cn}\\p{Cs}]]',
  lower: '\\p{Lowercase}',
  print: '[\\p{Any}--[\\p{Cc}\\p{Cn}\\p{Cs}]]',
  punct: '\\p{P}$+<=>\\^`\\|~',
  space: '\\s\\x85',
  upper: '\\p{Uppercase}',
  word: '\\p{L}\\p{M}\\p{Nd}\\p{Pc}',
  xdigit: '0-9A-Fa-f',
}

/** Unicode general categories, by short name. */
const categories =
  'C Cc Cf Cn Co L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs'

/** Classes of Ruby's `\w`, `\d`, `\s` and `\h`, which match only ASCII. */
const shortClasses: Readonly<Record<string, string>> = {
  d: '0-9',
  h: '0-9a-fA-F',
  s: ' \\t\\r\\n\\f\\v',
  w: 'a-zA-Z0-9_',
}

const insides = new Map([
  ...Object.entries(classes),
  ...categories.split(' ').map((name) => [name.toLowerCase(), `\\p{${name}}`] as const),
])
const known = new Map<string, CharacterSet>()

/** Character set of a POSIX bracket name. */
export function getPosixClass(name: string): CharacterSet | undefined {
  return Object.hasOwn(classes, name) ? cacheSet(name, classes[name]!) : undefined
}

/** Character set of a property: a POSIX name or a general category. Other properties need Ruby's engine. */
export function getPropertyClass(name: string): CharacterSet | undefined {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '')
  const inside = insides.get(plain)
  return inside === undefined ? undefined : cacheSet(plain, inside)
}

/** Character set of `\d`, `\W` and similar escapes. */
export function getShortClass(letter: string): CharacterSet | undefined {
  const lower = letter.toLowerCase()
  if (!Object.hasOwn(shortClasses, lower)) return undefined
  const set = cacheSet(`\\${lower}`, shortClasses[lower]!)
  return letter === lower ? set : complementSet(set)
}

/**
 * JavaScript class of the characters that `\b` treats as part of a word; unlike `\w`, it includes
 * all letters.
 */
export const wordClass = `[${classes['word']}]`

function cacheSet(name: string, inside: string): CharacterSet {
  const set = known.get(name) ?? makeSet(inside)
  known.set(name, set)
  return set
}
