/** A parsed signature: `Hash[Any, Any] $hash, Callable[2, 2] &$block`. */
export interface FunctionSignature {
  readonly parameters: readonly SignatureParameter[]
  readonly block: { readonly name: string; readonly type: string; readonly optional: boolean } | undefined
  readonly returns: string | undefined
}

/** One parameter of a signature; `type` is the text of its type, by default `Any`. */
export interface SignatureParameter {
  readonly name: string
  readonly type: string
  /** Number of arguments: `one`, `optional` (zero or one), `any` (zero or more) or `some` (one or more). */
  readonly count: 'one' | 'optional' | 'any' | 'some'
}

const parameterPattern = /^(?<type>.*?)\s*(?<sigil>[*+&]?)\$(?<name>\w+)(?<optional>\??)$/s

/**
 * Parses a signature: comma-separated parameters, each a type and a name. `$name?` is optional, `*$name` takes all
 * remaining arguments, `+$name` takes at least one of them, and `&$name` is the block. A return type follows `>>`.
 */
export function readSignature(text: string): FunctionSignature {
  const [parameterText = '', returns] = text.split(' >> ')
  const parts = splitOutsideBrackets(parameterText).map(readPart)
  const block = parts.find((part) => part.sigil === '&')
  return {
    parameters: parts
      .filter((part) => part !== block)
      .map(({ name, type, sigil, optional }) => ({ name, type, count: parseCount(sigil, optional) })),
    block: block && {
      name: block.name,
      type: block.type === 'Any' ? 'Callable' : block.type,
      optional: block.optional,
    },
    returns,
  }
}

function readPart(text: string): { type: string; sigil: string; name: string; optional: boolean } {
  const { type, sigil, name, optional } = parameterPattern.exec(text.trim())?.groups ?? {}
  if (name === undefined) throw new Error(`Not a parameter of a signature: ${text}`)
  return { type: type || 'Any', sigil: sigil ?? '', name, optional: optional === '?' }
}

function parseCount(sigil: string, optional: boolean): SignatureParameter['count'] {
  if (sigil === '*') return 'any'
  if (sigil === '+') return 'some'
  return optional ? 'optional' : 'one'
}

/** Splits at commas outside brackets, strings and regular expressions. */
function splitOutsideBrackets(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(/'[^']*'|\/(?:\\.|[^/\\])+\/|[[{(]|[\]})]|,/g)) {
    if ('[{('.includes(token)) depth++
    else if (']})'.includes(token)) depth--
    else if (token === ',' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts.filter((part) => part.trim() !== '')
}
