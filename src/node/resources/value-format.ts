import { Sensitive } from '../../language/values/sensitive.ts'

/**
 * A value in the notation of log lines: `'text'`, `10`, `['a', 'b']` (Puppet: StringConverter's
 * format for parameters).
 */
export function formatLogValue(value: unknown): string {
  return value === undefined || value === null ? "''" : formatNestedValue(value, '')
}

function formatNestedValue(value: unknown, indent: string): string {
  if (value === undefined || value === null) return 'undef'
  if (typeof value === 'string') return quote(value)
  if (value instanceof Sensitive) return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${formatElements(value, `${indent}  `)}]`
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(6)
  if (typeof value === 'object') {
    const deeper = `${indent}  `
    const entries = Object.entries(value).map(
      ([key, each]) => `${deeper}${quote(key)} => ${formatNestedValue(each, deeper)}`,
    )
    return `{\n${entries.join(',\n')}\n${indent}}`
  }
  return String(value)
}

/** Hashes and arrays in an array have lines of their own. */
function formatElements(values: readonly unknown[], indent: string): string {
  const isNested = (value: unknown) => typeof value === 'object' && value !== null && !isShownAsText(value)
  return values
    .map((each, index) => {
      const text = formatNestedValue(each, indent)
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
