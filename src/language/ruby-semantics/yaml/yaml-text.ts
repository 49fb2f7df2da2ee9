import { type ExactObject, getEntries } from '../../../base/json/exact-json.ts'
import { encodeLosslessUtf8, toUnicodeText } from '../../../base/text/byte-text.ts'
import { formatRubyFloat } from '../../../base/text/float-text.ts'

/** Matches texts that every YAML reader reads as strings without quotes; `no`, `1e3` and dates need quotes. */
const plain = /^[A-Za-z_/][\w/.@+-]*(?: [\w/.@+-]+)*$/
const words = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'])
/** Maximum indentation level; deeper values are written on one line to limit the size. */
const deepest = 64
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

/**
 * Formats data, including all types of ExactJson, as a YAML document in block style; `tag` is the document's tag. Omits
 * the values that JSON omits. Faster than a general library, which takes seconds for a report of 2,000 resources.
 */
export function formatYaml(value: unknown, tag?: `!${string}`): string {
  return [...formatYamlParts(value, tag)].join('')
}

/**
 * Formats like `formatYaml`, in parts of whole lines, so that a writer need not hold a large report
 * in memory.
 */
export function* formatYamlParts(value: unknown, tag?: `!${string}`): Generator<string, void> {
  const lines: string[] = [tag === undefined ? '---' : `--- ${tag}`]
  if (isEmpty(value)) lines[0] += ` ${formatScalar(value)}`
  else yield* writeParts(value as object, '', lines, partedLevels)
  yield `${lines.join('\n')}\n`
}

/** Approximate number of lines in a part. */
const partLines = 2000
/** Number of nesting levels that can be split between parts: the members of a report, and its resources. */
const partedLevels = 2

function* writeParts(value: object, indent: string, lines: string[], levels: number): Generator<string, void> {
  for (const [head, each] of listEntries(value, indent)) {
    if (levels > 1 && !isEmpty(each)) {
      lines.push(head)
      yield* writeParts(each as object, `${indent}  `, lines, levels - 1)
    } else writeEntry(head, each, indent, lines)
    if (lines.length < partLines) continue
    yield `${lines.join('\n')}\n`
    lines.length = 0
  }
}

function* listEntries(value: object, indent: string): Generator<readonly [head: string, value: unknown], void> {
  if (Array.isArray(value)) for (const each of value) yield [`${indent}-`, each]
  else
    for (const [key, each] of getEntries(value as ExactObject))
      if (each !== undefined) yield [`${indent}${formatKey(key, `\n${indent}`)}:`, each]
}

function writeBlock(value: object, indent: string, lines: string[]): void {
  for (const [head, each] of listEntries(value, indent)) writeEntry(head, each, indent, lines)
}

function writeEntry(head: string, value: unknown, indent: string, lines: string[]): void {
  if (isEmpty(value)) lines.push(`${head} ${formatScalar(value)}`)
  else if (indent.length >= deepest) lines.push(`${head} ${formatFlow(value)}`)
  else {
    lines.push(head)
    writeBlock(value as object, `${indent}  `, lines)
  }
}

/** Formats a value on one line. */
function formatFlow(value: unknown): string {
  if (isEmpty(value)) return formatScalar(value)
  if (Array.isArray(value)) return `[${value.map(formatFlow).join(', ')}]`
  const members = [...getEntries(value as ExactObject)].filter(([, each]) => each !== undefined)
  return `{${members.map(([key, each]) => `${formatKey(key, ' ')}: ${formatFlow(each)}`).join(', ')}}`
}

/** True for a scalar or an empty collection, which is written on the line of its key. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return value instanceof Map ? value.size === 0 : Object.values(value).every((each) => each === undefined)
}

/** Formats a key. A key longer than 1,024 characters needs a `?` prefix: the title of an exec can be a whole script. */
function formatKey(key: string, gap: string): string {
  // The key `<<` is tagged as a string, because YAML would otherwise treat it as a merge key, quoted or not.
  const shown = key === '<<' ? '!!str "<<"' : formatString(key)
  return shown.length > 1000 ? `? ${shown}${gap}` : shown
}

function formatScalar(value: unknown): string {
  if (typeof value === 'string') return formatString(value)
  if (value instanceof Number) return formatRubyFloat(value.valueOf())
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? '.nan' : value < 0 ? '-.inf' : '.inf'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}'
  return String(value ?? null)
}

function formatString(value: string): string {
  if (plain.test(value) && !words.has(value.toLowerCase())) return value
  const unicode = toUnicodeText(value)
  // Psych's format of a string that is not UTF-8.
  if (unicode === undefined) return `!binary "${encodeLosslessUtf8(value).toString('base64')}"`
  return JSON.stringify(unicode).replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
