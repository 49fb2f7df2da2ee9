import { Sensitive } from '../../language/values/sensitive.ts'

/**
 * A value in the notation of log lines: `'text'`, `10`, `['a', 'b']` (Puppet: StringConverter's
 * format for parameters).
 */
export function formatLogValue(value: unknown): string {
  return value === undefined || value === null ? "''" : formatNestedValue(value, quote)
}

/** A value as code of the Puppet language, in the layout of log lines. */
export function formatValueCode(value: unknown): string {
  return formatNestedValue(value, quoteCode)
}

function formatNestedValue(value: unknown, quoteText: (text: string) => string, indent = ''): string {
  if (value === undefined || value === null) return 'undef'
  if (typeof value === 'string') return quoteText(value)
  if (value instanceof Sensitive) return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${formatElements(value, quoteText, `${indent}  `)}]`
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(6)
  if (typeof value === 'object') {
    const deeper = `${indent}  `
    const entries = Object.entries(value).map(
      ([key, each]) => `${deeper}${quoteText(key)} => ${formatNestedValue(each, quoteText, deeper)}`,
    )
    return `{\n${entries.join(',\n')}\n${indent}}`
  }
  return String(value)
}

/** Hashes and arrays in an array have lines of their own. */
function formatElements(values: readonly unknown[], quoteText: (text: string) => string, indent: string): string {
  const isNested = (value: unknown) => typeof value === 'object' && value !== null && !isShownAsText(value)
  return values
    .map((each, index) => {
      const text = formatNestedValue(each, quoteText, indent)
      const comma = index === 0 ? '' : ','
      const breaksLine = isNested(each) || (index > 0 && isNested(values[index - 1]))
      return `${comma}${breaksLine ? `\n${indent}` : comma && ' '}${text}`
    })
    .join('')
}

const isShownAsText = (value: object): boolean => value instanceof Sensitive || value instanceof Date

function quote(value: string): string {
  if (/[\n\t\r]/.test(value)) return JSON.stringify(value)
  // A backslash and the next character are printed unchanged (Puppet: StringConverter,
  // `puppet_quote`).
  return `'${value.replaceAll(/\\.|'/gsu, (found) => (found === "'" ? "\\'" : found))}'`
}

function quoteCode(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
