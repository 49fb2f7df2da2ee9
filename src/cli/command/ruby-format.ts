import { Word } from '../../compiler/hiera/explanation-data.ts'
import { PlainSymbol } from '../../language/ruby-semantics/data/plain-form.ts'
import { dumpYaml } from '../../language/ruby-semantics/yaml/dump-yaml.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Float } from '../../language/values/float.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'

/**
 * Input of the output formats of `puppet lookup`: a value, or an explanation, whose words are
 * symbols in Ruby.
 */
export type RenderableValue =
  | Value
  | Word
  | readonly RenderableValue[]
  | { readonly [key: string]: RenderableValue | undefined }

/** JSON in one line, as `puppet lookup --render-as json` prints it. */
export function formatRubyJson(value: RenderableValue): string {
  return `${formatShapeJson(toShape(value))}\n`
}

/** YAML as Ruby's Psych writes it. */
export function formatRubyYaml(value: RenderableValue): string {
  return dumpYaml(toShape(value))
}

/** Data that JSON and YAML can represent. */
type Shape = undefined | boolean | number | bigint | Float | PlainSymbol | string | readonly Shape[] | Map<Shape, Shape>

/**
 * Converts a value to data that JSON and YAML can represent. Other values become their text, and
 * secrets are redacted.
 */
function toShape(value: RenderableValue): Shape {
  if (value === null || typeof value !== 'object') return value as Shape
  if (value instanceof Float) return value
  if (value instanceof Word) return new PlainSymbol(value.name)
  if (value instanceof Hash) return new Map(Array.from(value, ([key, item]) => [toShape(key), toShape(item)]))
  if (Array.isArray(value)) return (value as readonly RenderableValue[]).map(toShape)
  if (Object.getPrototypeOf(value) !== Object.prototype) return toText(value as Value)
  const entries = Object.entries(value as Readonly<Record<string, RenderableValue>>)
  return new Map(entries.map(([key, item]) => [new PlainSymbol(key), toShape(item)]))
}

function formatShapeJson(shape: Shape): string {
  if (shape instanceof Map)
    return `{${Array.from(shape, ([key, item]) => `${JSON.stringify(formatShapeText(key))}:${formatShapeJson(item)}`).join()}}`
  if (Array.isArray(shape)) return `[${shape.map(formatShapeJson).join()}]`
  if (typeof shape === 'string' || shape instanceof PlainSymbol) return JSON.stringify(formatShapeText(shape))
  return shape === undefined ? 'null' : String(shape)
}

function formatShapeText(shape: Shape): string {
  return shape instanceof PlainSymbol ? shape.name : String(shape ?? '')
}
