/** A signature as written: `Hash[Any, Any] $hash, Callable[2, 2] &$block`. */
export interface WrittenSignature {
  readonly parameters: readonly WrittenParameter[]
  readonly block: { readonly name: string; readonly type: string; readonly optional: boolean } | undefined
  readonly returns: string | undefined
}

/** One parameter of a written signature; `type` is its text, `Any` where none is written. */
export interface WrittenParameter {
  readonly name: string
  readonly type: string
  /** `one`: must be given; `optional`: may be; `any`: none or more; `some`: one or more. */
  readonly count: 'one' | 'optional' | 'any' | 'some'
}

const parameterPattern = /^(?<type>.*?)\s*(?<sigil>[*+&]?)\$(?<name>\w+)(?<optional>\??)$/s

/**
 * Reads a signature: parameters with commas between them, each a type and a name. `$name?` may be left out, `*$name`
 * takes what is left, `+$name` the same but at least one, `&$name` is the block. A return type follows `>>`.
 */
export function readSignature(text: string): WrittenSignature {
  const [parameterText = '', returns] = text.split(' >> ')
  const parts = splitOutsideBrackets(parameterText).map(readPart)
  const block = parts.find((part) => part.sigil === '&')
  return {
    parameters: parts
      .filter((part) => part !== block)
      .map(({ name, type, sigil, optional }) => ({ name, type, count: countOf(sigil, optional) })),
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

function countOf(sigil: string, optional: boolean): WrittenParameter['count'] {
  if (sigil === '*') return 'any'
  if (sigil === '+') return 'some'
  return optional ? 'optional' : 'one'
}

/** Splits at the commas that stand in no bracket, string or regular expression. */
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
