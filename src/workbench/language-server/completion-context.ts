import { lex } from '../../language/syntax/lexer/lex.ts'
import type { Token, TokenKind } from '../../language/syntax/lexer/token.ts'
import { classFunctions } from '../code-index/file-occurrences.ts'

/** The kind of name that code expects at its end. */
export interface CompletionContext {
  /** True for the argument of `include`, and for the title of `class { … }`. */
  readonly expectsClass: boolean
  /** The resource body whose next word is an attribute. */
  readonly resource: OpenResource | undefined
  /** The attribute whose value is next. */
  readonly value: OpenValue | undefined
  /** True for a word that starts with a capital letter. */
  readonly startsType: boolean
  /** True if the code ends in a string that is not closed. */
  readonly isInString: boolean
}

/** An unclosed resource body. */
export interface OpenResource {
  readonly type: string
  /** The title, if it is a literal. */
  readonly title: string | undefined
  /** Names of the attributes that are already given. */
  readonly given: ReadonlySet<string>
}

const words: ReadonlySet<TokenKind> = new Set(['NAME', 'WORD', 'CLASSREF'])

/** An attribute without its value. */
export interface OpenValue {
  readonly resource: OpenResource
  readonly attribute: string
  /** True inside quotes. */
  readonly isInString: boolean
}

/** Reads the context at the end of code that need not be complete. */
export function readContext(code: string): CompletionContext {
  const { tokens: all } = lex({ file: undefined, text: code })
  const tokens = all.slice(0, -1)
  const last = tokens.at(-1)
  const word = last && last.end === code.length && words.has(last.kind) ? tokens.pop() : undefined
  const rest = code.slice(word ? code.length : (last?.end ?? 0)).trimStart()
  const isInString = rest.startsWith("'") || rest.startsWith('"')
  const previous = tokens.at(-1)
  return {
    expectsClass: isClassExpected(tokens, isInString),
    resource: isInString || !previous || ![':', ','].includes(previous.kind) ? undefined : findOpenResource(tokens),
    value: readOpenValue(tokens, isInString),
    startsType: word?.kind === 'CLASSREF',
    isInString,
  }
}

function readOpenValue(tokens: readonly Token[], isInString: boolean): OpenValue | undefined {
  if (tokens.at(-1)?.kind !== '=>') return undefined
  const resource = findOpenResource(tokens)
  const attribute = tokens.at(-2)?.value
  return resource && attribute !== undefined ? { resource, attribute, isInString } : undefined
}

function isClassExpected(tokens: readonly Token[], isInString: boolean): boolean {
  const before = tokens.at(-1)?.kind === '(' ? tokens.at(-2) : tokens.at(-1)
  if (before?.kind === 'NAME' && classFunctions.has(before.value)) return true
  return isInString && tokens.at(-1)?.kind === '{' && tokens.at(-2)?.kind === 'class'
}

/** The resource body in the innermost brace that is not closed. */
function findOpenResource(tokens: readonly Token[]): OpenResource | undefined {
  const start = findOpenBrace(tokens)
  const type = start === undefined ? undefined : tokens[start - 1]
  if (start === undefined || (type?.kind !== 'NAME' && type?.kind !== 'class')) return undefined
  const own = listOuterTokens(tokens.slice(start + 1))
  const body = own.slice(own.findLastIndex(({ kind }) => kind === ';') + 1)
  const colon = body.findIndex(({ kind }) => kind === ':')
  if (colon === -1) return undefined
  const [title] = body
  const isLiteral = colon === 1 && (title!.kind === 'STRING' || title!.kind === 'NAME')
  const given = body.filter((_, at) => body[at + 1]?.kind === '=>').map(({ value }) => value)
  return { type: type.value, title: isLiteral ? title!.value : undefined, given: new Set(given) }
}

function findOpenBrace(tokens: readonly Token[]): number | undefined {
  let depth = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { kind } = tokens[at]!
    if (closing.has(kind)) depth++
    else if (opening.has(kind) && depth-- === 0) return kind === '{' ? at : undefined
  }
  return undefined
}

const opening: ReadonlySet<TokenKind> = new Set(['{', '?{', '(', '\n(', '[', ' ['])
const closing: ReadonlySet<TokenKind> = new Set(['}', ')', ']'])

/** The tokens outside of brackets. */
function listOuterTokens(tokens: readonly Token[]): readonly Token[] {
  let depth = 0
  return tokens.filter(({ kind }) => {
    if (opening.has(kind)) depth++
    if (closing.has(kind)) depth--
    return depth === 0
  })
}
