import { Word } from '../hiera/explanation-data.ts'
import { toText } from '../language/types/printing/text.ts'
import { Float } from '../language/values/float.ts'
import { Hash } from '../language/values/hash.ts'
import type { Value } from '../language/values/value.ts'
import { parseYaml } from '../language/values/yaml.ts'
import { YamlError } from '../ruby-semantics/yaml/yaml-error.ts'

/** Input of `puppet lookup`'s renderers: a value, or an explanation as data, whose words are symbols in Ruby. */
export type Rendered = Value | Word | readonly Rendered[] | { readonly [key: string]: Rendered | undefined }

/** JSON in one line, as `puppet lookup --render-as json` prints it. */
export function rubyJson(value: Rendered): string {
  return `${jsonText(shapeOf(value))}\n`
}

/** YAML as Ruby's Psych writes it. */
export function rubyYaml(value: Rendered): string {
  const shape = shapeOf(value)
  const [first = '', ...rest] = yamlLines(shape)
  const lines = isBlock(shape) ? ['---', first, ...rest] : [`--- ${first}`.trimEnd(), ...rest]
  return `${lines.join('\n')}\n`
}

/** Data as JSON and YAML know them. */
type Shape = undefined | boolean | number | bigint | Float | Word | string | readonly Shape[] | Map<Shape, Shape>

/** The shape of a value for the print: anything but data as its text, secrets unseen. */
function shapeOf(value: Rendered): Shape {
  if (value === null || typeof value !== 'object') return value as Shape
  if (value instanceof Float || value instanceof Word) return value
  if (value instanceof Hash) return new Map(Array.from(value, ([key, item]) => [shapeOf(key), shapeOf(item)]))
  if (Array.isArray(value)) return (value as readonly Rendered[]).map(shapeOf)
  if (Object.getPrototypeOf(value) !== Object.prototype) return toText(value as Value)
  const entries = Object.entries(value as Readonly<Record<string, Rendered>>)
  return new Map(entries.map(([key, item]) => [new Word(key), shapeOf(item)]))
}

function jsonText(shape: Shape): string {
  if (shape instanceof Map)
    return `{${Array.from(shape, ([key, item]) => `${JSON.stringify(plainText(key))}:${jsonText(item)}`).join()}}`
  if (Array.isArray(shape)) return `[${shape.map(jsonText).join()}]`
  if (typeof shape === 'string' || shape instanceof Word) return JSON.stringify(plainText(shape))
  return shape === undefined ? 'null' : String(shape)
}

function plainText(shape: Shape): string {
  return shape instanceof Word ? shape.name : String(shape ?? '')
}

function isBlock(shape: Shape): boolean {
  return (shape instanceof Map && shape.size > 0) || (Array.isArray(shape) && shape.length > 0)
}

function yamlLines(shape: Shape): string[] {
  if (shape instanceof Map)
    return shape.size === 0 ? ['{}'] : [...shape].flatMap(([key, item]) => entryLines(key, item))
  if (Array.isArray(shape)) return shape.length === 0 ? ['[]'] : shape.flatMap((item: Shape) => itemLines(item))
  if (shape instanceof Word) return [`:${shape.name}`]
  if (typeof shape !== 'string') return [shape === undefined ? '' : String(shape)]
  return /\n(?!\n?(?![\s\S]))/.test(shape) ? literalLines(shape) : scalarText(shape).split('\n')
}

/** Sequences are not indented in a mapping, and the lines of a literal stand where they are. */
function entryLines(key: Shape, item: Shape): string[] {
  const [first = '', ...rest] = yamlLines(item)
  const name = yamlLines(key).join(' ')
  if (!isBlock(item)) return [`${name}: ${first}`.trimEnd(), ...rest]
  return [`${name}:`, ...(Array.isArray(item) ? [first, ...rest] : indented([first, ...rest]))]
}

function itemLines(item: Shape): string[] {
  const [first = '', ...rest] = yamlLines(item)
  return [`- ${first}`.trimEnd(), ...(isBlock(item) ? indented(rest) : rest)]
}

function literalLines(text: string): string[] {
  const keep = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const indent = /^[ \n]/.test(text) ? '2' : ''
  return [`|${indent}${keep}`, ...indented(text.replace(/\n$/, '').split('\n'))]
}

/** A scalar quoted as by Psych: psych/visitors/yaml_tree.rb, `visit_String`, and then libyaml. */
function scalarText(text: string): string {
  if (text === '<<') return "!!str '<<'"
  if (/^[yn]$/i.test(text) || /^[^\p{L}\p{N}_][^"]*$/mu.test(text)) return JSON.stringify(text)
  if (/^[^\p{Cc}]*\n$/u.test(text)) return `'${text.slice(0, -1).replaceAll("'", "''")}\n\n  '`
  if (/\p{Cc}/u.test(text)) return JSON.stringify(text)
  if (text === '' || isAmbiguous(text) || !isPlain(text)) return `'${text.replaceAll("'", "''")}'`
  return text
}

/** True for a text that YAML, without quotes, reads as something else than text. */
function isAmbiguous(text: string): boolean {
  try {
    return typeof parseYaml(text) !== 'string'
  } catch (error) {
    if (error instanceof YamlError) return true
    throw error
  }
}

/** True for a text that can stand without quotes in a block. */
function isPlain(text: string): boolean {
  return !/^[-?:,[\]{}#&*!|>'"%@`]/.test(text) && !/: |:$| #|^ | $/.test(text)
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? line : `  ${line}`))
}
