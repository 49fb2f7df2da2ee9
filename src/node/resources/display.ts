import { Sensitive } from '../../language/values/sensitive.ts'

/**
 * A value in the notation of log lines: `'text'`, `10`, `['a', 'b']` (Puppet: StringConverter's
 * format for parameters).
 */
export function display(value: unknown): string {
  return value === undefined || value === null ? "''" : nested(value, '')
}

function nested(value: unknown, indent: string): string {
  if (value === undefined || value === null) return 'undef'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Sensitive) return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${value.map((each) => nested(each, indent)).join(', ')}]`
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(6)
  if (typeof value === 'object') {
    const deeper = `${indent}  `
    const entries = Object.entries(value).map(([key, each]) => `${deeper}${quoted(key)} => ${nested(each, deeper)}`)
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
  }
  return String(value)
}

function quoted(value: string): string {
  if (/[\n\t\r]/.test(value)) return JSON.stringify(value)
  // A backslash and the next character are printed unchanged (Puppet: StringConverter,
  // `puppet_quote`).
  return `'${value.replaceAll(/\\.|'/gsu, (found) => (found === "'" ? "\\'" : found))}'`
}
