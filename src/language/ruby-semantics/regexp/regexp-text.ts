import { checkRegexp } from './match.ts'

/**
 * Ruby's `Regexp#to_s`, which puts options of the whole pattern in front: `(?i-mx:abc)` for `/(?i)abc/` and for
 * `/(?i:abc)/`.
 */
export function formatRubyRegexp(source: string): string {
  const { on, rest } = readLeadingOptions(source)
  const given = [...'mix'].filter((letter) => on.has(letter)).join('')
  const missing = [...'mix'].filter((letter) => !on.has(letter)).join('')
  return `(?${given}${missing && `-${missing}`}:${escapeSlashes(rest)})`
}

function readLeadingOptions(source: string): { on: ReadonlySet<string>; rest: string } {
  const on = new Set<string>()
  for (let rest = source; ; ) {
    const head = rest.length < 4 ? null : /^\(\?([mix]*)(?:-([mix]*))?([:)]?)/.exec(rest)
    if (!head) return { on, rest }
    for (const letter of head[1]!) on.add(letter)
    for (const letter of head[2] ?? '') on.delete(letter)
    rest = rest.slice(head[0].length)
    if (head[3] === ')') continue
    if (head[3] === ':' && rest.endsWith(')') && isRegexp(rest.slice(0, -1))) return { on, rest: rest.slice(0, -1) }
    return { on: new Set(), rest: source }
  }
}

function isRegexp(source: string): boolean {
  try {
    checkRegexp(source)
    return true
  } catch {
    return false
  }
}

function escapeSlashes(text: string): string {
  return text
    .replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found))
    .replace(
      /[\0-\x08\x0e-\x1f\x7f]/g,
      (found) => `\\x${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
}

/**
 * The pattern without slashes, wrapped in a group if it is bound to an encoding, as in Puppet (types.rb,
 * `regexp_to_s`).
 */
export function formatBareRegexp(source: string): string {
  return isBoundToEncoding(source) ? `(?-imx:${source})` : source
}

/** The pattern as Puppet code: `/a\/b/`, or `/(?-mix:é)/` if it is bound to an encoding. */
export function formatRegexpCode(source: string): string {
  return isBoundToEncoding(source) ? `/${formatRubyRegexp(source)}/` : inspectRegexp(source)
}

/** Ruby's `inspect` of a pattern: `/é/`. */
export function inspectRegexp(source: string): string {
  return `/${source.replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found))}/`
}

/** True if Ruby binds the pattern to UTF-8, because of characters outside ASCII or properties. */
function isBoundToEncoding(source: string): boolean {
  if (/[^\0-\x7f]/.test(source)) return true
  if (!source.includes('\\')) return false
  return Array.from(source.matchAll(escapes)).some(
    ([, property, hex, unicode, several, octal]) =>
      property !== undefined ||
      Number.parseInt(hex ?? unicode ?? '0', 16) > 0x7f ||
      Number.parseInt(octal ?? '0', 8) > 0x7f ||
      several?.split(/\s+/).some((each) => Number.parseInt(each, 16) > 0x7f),
  )
}

const escapes = /\\(?:([pP])|x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|u\{([\da-fA-F\s]*)\}|([0-7]{3})|[\s\S])/g
