import type { LiteralFloat, LiteralInteger } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'

/** Parses a number: `10`, `0x1F`, `017`, `1.5e3`. */
export function numberLiteral(p: TokenCursor): LiteralInteger | LiteralFloat {
  const token = p.next()
  const span = p.span(token)
  const text = token.value
  if (/^0x/i.test(text)) return { kind: 'LiteralInteger', span, value: parseInteger(text), radix: 16 }
  if (/[.e]/i.test(text)) return { kind: 'LiteralFloat', span, value: Number(text) }
  if (/^0\d/.test(text)) return { kind: 'LiteralInteger', span, value: parseInteger(`0o${text.slice(1)}`), radix: 8 }
  return { kind: 'LiteralInteger', span, value: parseInteger(text), radix: 10 }
}

function parseInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
