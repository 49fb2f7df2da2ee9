import type { Diagnostic } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { type LexerOptions, lex } from '../lexer/lex.ts'
import type { Epp, Expression, Lambda, Program } from '../tree/nodes.ts'
import { toBlock } from './blocks.ts'
import { type Productions, TokenCursor } from './cursor.ts'
import { expression } from './operators.ts'
import { parameters } from './parameters.ts'
import { startsResource } from './resources.ts'
import { assignment, statements } from './statements.ts'

/** Options of the parser. */
export type ParserOptions = LexerOptions

/** A syntax tree with the warnings of the lexer. */
export interface ParseResult {
  readonly program: Program
  readonly warnings: readonly Diagnostic[]
}

const productions: Productions = { assignment, expression, statements }

/** Parses a manifest. Throws the first syntax error. */
export function parseManifest(source: Source): Program {
  return parseSource(source).program
}

/** Parses a source. Returns its warnings in addition to the tree. Throws the first syntax error. */
export function parseSource(source: Source, options: ParserOptions = {}): ParseResult {
  const lexed = lex(source, options)
  const p = new TokenCursor(source, lexed, productions)
  const body = options.epp ? template(p) : manifest(p)
  p.expect('EOF')
  const span = { source, start: 0, end: source.text.length }
  return { program: { kind: 'Program', span, body, definitions: p.definitions }, warnings: lexed.warnings }
}

function manifest(p: TokenCursor): Expression {
  if (p.at('EOF')) return { kind: 'Nop', span: p.span(p.token) }
  return toBlock(p, statements(p))
}

function template(p: TokenCursor): Lambda {
  const span = p.span(p.expect('EPP_START'))
  const parametersSpecified = p.accept('|') !== undefined
  const list = parametersSpecified && !p.at('|') ? parameters(p, '|') : []
  if (parametersSpecified) p.expect('|')
  const body: Expression = startsResource(p.kind)
    ? { kind: 'Block', span, statements: statements(p) }
    : { kind: 'Nop', span }
  const epp: Epp = { kind: 'Epp', span, parametersSpecified, body }
  return { kind: 'Lambda', span, parameters: list, body: epp, returnType: undefined }
}
