import { defineIssues, fail } from '../../base/issue.ts'

/** The name of an MBean, or a pattern of names. JMX: javax.management.ObjectName. */
export interface ObjectName {
  readonly domain: string
  /** Each key with its value as it is written: quoted ones with their quotes. */
  readonly properties: ReadonlyMap<string, string>
  /** True for a pattern that any further properties match. */
  readonly isOpen: boolean
}

/** Errors of names, in the words of Java and Jolokia. */
export const nameIssues = defineIssues({
  OBJECT_NAME: { text: (a: { why: string }) => `Invalid object name. ${a.why}` },
})

/** Far beyond the names that there are: matching takes time that grows with both. Characters. */
const longestName = 512

/** Reads a name. Throws OBJECT_NAME. */
export function parseObjectName(text: string): ObjectName {
  const colon = text.indexOf(':')
  if (text.length > longestName) fail(nameIssues.OBJECT_NAME, { why: 'It is too long' })
  if (colon < 0 || colon === text.length - 1) fail(nameIssues.OBJECT_NAME, { why: 'Key properties cannot be empty' })
  const properties = new Map<string, string>()
  let isOpen = false
  for (const part of partsOf(text.slice(colon + 1))) {
    const equals = part.indexOf('=')
    if (part === '*') isOpen = true
    else if (part.startsWith('*'))
      fail(nameIssues.OBJECT_NAME, { why: "Invalid character found after '*': end of name or ',' expected" })
    else if (equals < 1 || equals === part.length - 1)
      fail(nameIssues.OBJECT_NAME, { why: 'Invalid key property list' })
    else properties.set(part.slice(0, equals), part.slice(equals + 1))
  }
  return { domain: text.slice(0, colon), properties, isOpen }
}

/** The parts of a list of properties: a comma within quotes divides nothing. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let isQuoted = false
  let part = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === ',' && !isQuoted) {
      parts.push(part)
      part = ''
      continue
    }
    part += char
    if (char === '"') isQuoted = !isQuoted
    if (char === '\\' && isQuoted) part += text[++at] ?? ''
  }
  return [...parts, part]
}

/** The properties of a name in the order of their keys, as Jolokia writes them. */
export function propertyText({ properties }: ObjectName): string {
  return [...properties]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}

/** A name as Jolokia writes it. */
export function nameText(name: ObjectName): string {
  return `${name.domain}:${propertyText(name)}`
}

/** True for a name that may stand for several. */
export function isPattern({ domain, properties, isOpen }: ObjectName): boolean {
  return isOpen || /[*?]/.test(domain) || [...properties.values()].some((value) => tokensOf(value).some(isWild))
}

/** True for a name that a pattern has. */
export function matchesName(pattern: ObjectName, name: ObjectName): boolean {
  if (!matches(tokensOf(pattern.domain), name.domain)) return false
  if (!pattern.isOpen && pattern.properties.size !== name.properties.size) return false
  return [...pattern.properties].every(([key, value]) => {
    const other = name.properties.get(key)
    return other !== undefined && matches(tokensOf(value), other)
  })
}

/** A character of a pattern: itself, any one (`?`), or any number of them (`*`). */
type Token = { readonly char: string } | 'one' | 'many'

function isWild(token: Token): boolean {
  return typeof token === 'string'
}

/** In quotes a backslash makes the next character stand for itself; names have the backslash, too. */
function tokensOf(pattern: string): readonly Token[] {
  const isQuoted = pattern.startsWith('"')
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (isQuoted && char === '\\' && at + 1 < pattern.length) tokens.push({ char }, { char: pattern[++at]! })
    else tokens.push(char === '*' ? 'many' : char === '?' ? 'one' : { char })
  }
  return tokens
}

/** Greedy, with one step back to the last `*`: at most pattern times text, both of which are short. */
function matches(pattern: readonly Token[], text: string): boolean {
  let at = 0
  let star = -1
  let taken = 0
  for (let char = 0; char < text.length; ) {
    const token = pattern[at]
    if (token === 'many') {
      star = at++
      taken = char
    } else if (token !== undefined && (token === 'one' || token.char === text[char])) {
      at++
      char++
    } else if (star >= 0) {
      at = star + 1
      char = ++taken
    } else return false
  }
  while (pattern[at] === 'many') at++
  return at === pattern.length
}
