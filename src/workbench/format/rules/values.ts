import type { NodeOf } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document } from '../layout/document.ts'
import type { FormatContext, Rules } from './context.ts'
import { listLayouts, printEntries, printExpressions } from './lists.ts'
import { printPair, printSinglePair } from './pairs.ts'

type ValueKind =
  | 'LiteralString'
  | 'LiteralInteger'
  | 'LiteralFloat'
  | 'LiteralBoolean'
  | 'LiteralUndef'
  | 'LiteralDefault'
  | 'LiteralRegexp'
  | 'LiteralList'
  | 'LiteralHash'
  | 'KeyedEntry'
  | 'QualifiedName'
  | 'QualifiedReference'
  | 'Variable'
  | 'ReservedWord'
  | 'ConcatenatedString'
  | 'TextExpression'
  | 'Heredoc'
  | 'Access'

const takePiece = (_: unknown, c: FormatContext): Document => c.take()

/** Rules for literals, names, strings and elements of values. */
export const valueRules: Rules<ValueKind> = {
  LiteralString: takePiece,
  LiteralInteger: takePiece,
  LiteralFloat: takePiece,
  LiteralBoolean: takePiece,
  LiteralUndef: takePiece,
  LiteralDefault: takePiece,
  LiteralRegexp: takePiece,
  QualifiedName: takePiece,
  QualifiedReference: takePiece,
  Variable: takePiece,
  ReservedWord: takePiece,
  ConcatenatedString: takePiece,
  Heredoc: takePiece,
  // An interpolation is part of the piece of its string.
  TextExpression: (_, c) => c.fail(),
  LiteralList: (e, c) => printExpressions(c, e.values, listLayouts.array),
  LiteralHash: printHash,
  KeyedEntry: (e, c) => printSinglePair(printPair(c, () => c.print(e.key), e.value)),
  Access: (e, c) => concat([c.print(e.left), printExpressions(c, e.keys, listLayouts.keys)]),
}

function printHash(hash: NodeOf<'LiteralHash'>, c: FormatContext): Document {
  // The tree has no place for `* => $hash` in a hash; validation rejects it.
  if (hash.entries.some(({ key }) => key.kind === 'Nop')) return c.fail()
  return printEntries(c, hash.entries, (entry) => printPair(c, () => c.print(entry.key), entry.value), listLayouts.hash)
}
