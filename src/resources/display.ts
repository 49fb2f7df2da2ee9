import { Sensitive } from '../language/values/sensitive.ts'

/** A value as log lines show it: `'text'`, `10`, `['a', 'b']` (Puppet: StringConverter's format for parameters). */
export function display(value: unknown): string {
  if (value === undefined || value === null) return "''"
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Sensitive) return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${value.map(display).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, each]) => `  ${quoted(key)} => ${display(each)}`)
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}`
  }
  return String(value)
}

function quoted(value: string): string {
  if (/[\n\t\r]/.test(value)) return JSON.stringify(value)
  // A backslash, and what it stands before, are shown as they are (Puppet: StringConverter, `puppet_quote`).
  return `'${value.replaceAll(/\\.|'/gsu, (found) => (found === "'" ? "\\'" : found))}'`
}
