import { plainForm } from '../data/plain-form.ts'
import { readYaml } from './psych.ts'
import { YamlError } from './yaml-error.ts'

/** Data to write: hashes as Maps, nil as `undefined`. Other objects are written as their text. */
export type YamlShape =
  | undefined
  | boolean
  | number
  | bigint
  | string
  | readonly YamlShape[]
  | ReadonlyMap<YamlShape, YamlShape>
  | { toString(): string }

/** Formats YAML like Ruby's Psych (`to_yaml`). */
export function dumpYaml(shape: YamlShape): string {
  const [first = '', ...rest] = formatLines(shape)
  const lines = isBlock(shape) ? ['---', first, ...rest] : [`--- ${first}`.trimEnd(), ...rest]
  return `${lines.join('\n')}\n`
}

function isBlock(shape: YamlShape): boolean {
  return (shape instanceof Map && shape.size > 0) || (Array.isArray(shape) && shape.length > 0)
}

function formatLines(shape: YamlShape): string[] {
  if (shape instanceof Map)
    return shape.size === 0 ? ['{}'] : [...shape].flatMap(([key, item]) => formatEntry(key, item))
  if (Array.isArray(shape)) return shape.length === 0 ? ['[]'] : shape.flatMap((item: YamlShape) => formatItem(item))
  if (typeof shape !== 'string') return [shape === undefined ? '' : String(shape)]
  return /\n(?!\n?(?![\s\S]))/.test(shape) ? formatLiteral(shape) : formatScalar(shape).split('\n')
}

/**
 * Formats an entry of a mapping. Sequences in a mapping are not indented; lines of literal text keep their indentation.
 */
function formatEntry(key: YamlShape, item: YamlShape): string[] {
  const [first = '', ...rest] = formatLines(item)
  const name = formatLines(key).join(' ')
  if (!isBlock(item)) return [`${name}: ${first}`.trimEnd(), ...rest]
  return [`${name}:`, ...(Array.isArray(item) ? [first, ...rest] : indentLines([first, ...rest]))]
}

function formatItem(item: YamlShape): string[] {
  const [first = '', ...rest] = formatLines(item)
  return [`- ${first}`.trimEnd(), ...(isBlock(item) ? indentLines(rest) : rest)]
}

function formatLiteral(text: string): string[] {
  const keep = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const indent = /^[ \n]/.test(text) ? '2' : ''
  return [`|${indent}${keep}`, ...indentLines(text.replace(/\n$/, '').split('\n'))]
}

/** Quotes a scalar as Psych does (psych/visitors/yaml_tree.rb, `visit_String`), then as libyaml does. */
function formatScalar(text: string): string {
  if (text === '<<') return "!!str '<<'"
  if (/^[yn]$/i.test(text) || /^[^\p{L}\p{N}_][^"]*$/mu.test(text)) return JSON.stringify(text)
  if (/^[^\p{Cc}]*\n$/u.test(text)) return `'${text.slice(0, -1).replaceAll("'", "''")}\n\n  '`
  if (/\p{Cc}/u.test(text)) return JSON.stringify(text)
  if (text === '' || isAmbiguous(text) || !isPlain(text)) return `'${text.replaceAll("'", "''")}'`
  return text
}

/** True if YAML would not read the unquoted text as a string. */
function isAmbiguous(text: string): boolean {
  try {
    return typeof readYaml(text, plainForm) !== 'string'
  } catch (error) {
    if (error instanceof YamlError) return true
    throw error
  }
}

/** True if the text needs no quotes in block style. */
function isPlain(text: string): boolean {
  return !/^[-?:,[\]{}#&*!|>'"%@`]/.test(text) && !/: |:$| #|^ | $/.test(text)
}

function indentLines(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? line : `  ${line}`))
}
