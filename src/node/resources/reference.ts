import type { Value } from '../../language/values/value.ts'

/** `File[/etc/motd]` of a reference value; `undefined` for any other value. */
export function referenceText(value: Value): string | undefined {
  if (typeof value !== 'object' || !('kind' in value)) return undefined
  if (value.kind === 'Resource' && value.typeName !== undefined && value.title !== undefined)
    return `${capitalised(value.typeName)}[${value.title}]`
  if (value.kind === 'Class' && value.className !== undefined) return `Class[${capitalised(value.className)}]`
  return undefined
}

/** Type and title of `File[/etc/motd]`, the type in lower case. */
export function splitReference(reference: string): { type: string; title: string } | undefined {
  const [, type, title] = /^([\w:]+)\[(.*)\]$/s.exec(reference) ?? []
  if (type === undefined || title === undefined) return undefined
  return { type: type.toLowerCase().replace(/^::/, ''), title }
}

/** `apache::vhost` as `Apache::Vhost`. */
export function capitalised(name: string): string {
  return name.replace(/(^|::)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
}
