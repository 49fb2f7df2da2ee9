import { createExactFloat, type ExactJson } from '../../../base/json/exact-json.ts'
import { formatRubyFloat } from '../../../base/text/float-text.ts'
import type { Pn, PnLiteral } from './pn.ts'

/** Formats Puppet Extended S-Expression Notation on one line, or indented if `pretty`. Puppet: pops/pn.rb. */
export function formatPn(pn: Pn, pretty = false): string {
  const parts: string[] = []
  writePn(pn, pretty ? '' : undefined, parts)
  return parts.join('')
}

/** Converts the notation to JSON. A call becomes `{ "^": [name, …] }`, a map becomes `{ "#": [key, value, …] }`. */
export function convertPnToJson(pn: Pn): ExactJson {
  switch (pn.kind) {
    case 'call':
      return { '^': [pn.name, ...pn.elements.map(convertPnToJson)] }
    case 'list':
      return pn.elements.map(convertPnToJson)
    case 'map':
      return { '#': pn.entries.flatMap(([key, value]) => [key, convertPnToJson(value)]) }
    case 'literal':
      return pn.isFloat ? createExactFloat(pn.value as number) : pn.value
  }
}

function writePn(pn: Pn, indent: string | undefined, parts: string[]): void {
  const inner = indent === undefined ? undefined : `${indent}  `
  switch (pn.kind) {
    case 'call':
      parts.push('(', pn.name)
      if (pn.elements.length > 0 && inner === undefined) parts.push(' ')
      writeElements(pn.elements, inner, parts)
      parts.push(')')
      break
    case 'list':
      parts.push('[')
      writeElements(pn.elements, inner, parts)
      parts.push(']')
      break
    case 'map':
      parts.push('{')
      for (const [index, [key, value]] of pn.entries.entries()) {
        if (inner !== undefined) parts.push('\n', inner)
        else if (index > 0) parts.push(' ')
        parts.push(':', key, ' ')
        writePn(value, inner, parts)
      }
      parts.push('}')
      break
    case 'literal':
      parts.push(formatLiteral(pn))
  }
}

function writeElements(elements: readonly Pn[], indent: string | undefined, parts: string[]): void {
  for (const [index, element] of elements.entries()) {
    if (indent !== undefined) parts.push('\n', indent)
    else if (index > 0) parts.push(' ')
    writePn(element, indent, parts)
  }
}

function formatLiteral({ value, isFloat }: PnLiteral): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return quoteText(value)
  return isFloat ? formatRubyFloat(value as number) : String(value)
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' }

function quoteText(text: string): string {
  const escaped = text.replace(
    /[\x00-\x1f"\\]/g,
    (each) => escapes[each] ?? `\\o${each.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}
