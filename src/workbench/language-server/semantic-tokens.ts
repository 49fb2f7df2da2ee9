import type { SemanticTokens } from 'vscode-languageserver'
import type { CodeFile } from '../code-index/code-file.ts'
import type { NameKind } from '../code-index/occurrence.ts'
import { toPosition } from './positions.ts'

/** Types of tokens, in the order of their numbers in the protocol. */
export const tokenTypes = ['class', 'struct', 'property', 'function', 'type', 'variable'] as const
/** Modifiers of tokens, by bit. */
export const tokenModifiers = ['definition'] as const

const typeOf: Readonly<Record<NameKind, (typeof tokenTypes)[number]>> = {
  class: 'class',
  'resource type': 'struct',
  attribute: 'property',
  function: 'function',
  'data type': 'type',
  variable: 'variable',
}

/** The names of a file as semantic tokens: five numbers each, relative to the token before. LSP 3.16. */
export function buildSemanticTokens({ occurrences, source }: CodeFile): SemanticTokens {
  const data: number[] = []
  let [line, character, end] = [0, 0, 0]
  for (const { kind, span, isDefinition } of occurrences) {
    // A parameter is an attribute and a variable; the first of overlapping tokens wins.
    if (span.start < end || source.text.slice(span.start, span.end).includes('\n')) continue
    const at = toPosition(source, span.start)
    const column = at.line === line ? at.character - character : at.character
    data.push(at.line - line, column, span.end - span.start, tokenTypes.indexOf(typeOf[kind]), isDefinition ? 1 : 0)
    ;[line, character, end] = [at.line, at.character, span.end]
  }
  return { data }
}
