import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseRubyJson as readRubyJson } from '../../ruby-semantics/json/read-json.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import type { Value } from '../../values/value.ts'
import { valueForm } from '../../values/yaml.ts'

/** Layout options of Ruby's `JSON.generate`. */
export interface JsonLayout {
  readonly indent: string
  readonly space: string
  readonly spaceBefore: string
  readonly objectNl: string
  readonly arrayNl: string
  /** Maximum nesting level; 0 means unlimited. */
  readonly maxNesting: number
  readonly allowNan: boolean
}

/** Layout on one line. */
export const compact: JsonLayout = {
  indent: '',
  space: '',
  spaceBefore: '',
  objectNl: '',
  arrayNl: '',
  maxNesting: 100,
  allowNan: false,
}

/** Layout of `JSON.pretty_generate`. */
export const pretty: JsonLayout = { ...compact, indent: '  ', space: ' ', objectNl: '\n', arrayNl: '\n' }

/** Formats JSON like Ruby's generator, which writes values without a JSON type as text. */
export function formatJson(value: Value, layout: JsonLayout = compact, depth = 0): string {
  if (value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Float) return formatFloat(value, layout)
  if (Array.isArray(value))
    return formatItems(
      '[]',
      value.map((each) => (deeper) => formatJson(each, layout, deeper)),
      layout.arrayNl,
      layout,
      depth,
    )
  if (value instanceof Hash)
    return formatItems(
      '{}',
      Array.from(
        value,
        ([key, each]) =>
          (deeper: number) =>
            `${JSON.stringify(formatAsString(key))}${layout.spaceBefore}:${layout.space}${formatJson(each, layout, deeper)}`,
      ),
      layout.objectNl,
      layout,
      depth,
    )
  return JSON.stringify(formatAsString(value))
}

function formatItems(
  brackets: string,
  items: readonly ((depth: number) => string)[],
  nl: string,
  layout: JsonLayout,
  depth: number,
): string {
  // As in Ruby, the message contains the actual depth minus one. Ruby: json 2.6, generator.c
  if (layout.maxNesting > 0 && depth >= layout.maxNesting) return throwArgumentError(`nesting of ${depth} is too deep`)
  const written = items.map((item) => layout.indent.repeat(depth + 1) + item(depth + 1))
  const start = items.length > 0 || brackets === '[]' ? nl : ''
  const isBare = items.length === 0 && nl === ''
  return brackets[0] + start + written.join(`,${nl}`) + nl + (isBare ? '' : layout.indent.repeat(depth)) + brackets[1]
}

function formatFloat(value: Float, { allowNan }: JsonLayout): string {
  if (Number.isFinite(value.value) || allowNan) return String(value)
  return throwArgumentError(`${value} not allowed in JSON`)
}

/** Parses JSON. */
export function parseStdlibJson(text: string): Value {
  return readRubyJson(text, valueForm)
}
