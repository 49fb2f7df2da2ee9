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
  if (Array.isArray(value)) return `[${value.map((each) => formatNestedValue(each, indent)).join(', ')}]`
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(6)
  if (typeof value === 'object') {
    const deeper = `${indent}  `
    const entries = Object.entries(value).map(
      ([key, each]) => `${deeper}${quote(key)} => ${formatNestedValue(each, deeper)}`,
    )
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
  }
  return String(value)
}

function quote(value: string): string {
  if (/[\n\t\r]/.test(value)) return JSON.stringify(value)
  // A backslash and the next character are printed unchanged (Puppet: StringConverter,
  // `puppet_quote`).
  return `'${value.replaceAll(/\\.|'/gsu, (found) => (found === "'" ? "\\'" : found))}'`
}
