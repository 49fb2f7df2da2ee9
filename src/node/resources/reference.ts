import type { Value } from '../../language/values/value.ts'

/** The text of a reference value, `File[/etc/motd]`; undefined for any other value. */
export function formatReferenceValue(value: Value): string | undefined {
  if (typeof value !== 'object' || !('kind' in value)) return undefined
  if (value.kind === 'Resource' && value.typeName !== undefined && value.title !== undefined)
    return `${capitalizeTypeName(value.typeName)}[${value.title}]`
  if (value.kind === 'Class' && value.className !== undefined) return `Class[${capitalizeTypeName(value.className)}]`
  return undefined
}

/** Splits `File[/etc/motd]` into type (in lower case) and title. */
export function splitReference(reference: string): { type: string; title: string } | undefined {
  const [, type, title] = /^([\w:]+)\[(.*)\]$/s.exec(reference) ?? []
  if (type === undefined || title === undefined) return undefined
  return { type: type.toLowerCase().replace(/^::/, ''), title }
}

/** Capitalizes a type name: `apache::vhost` becomes `Apache::Vhost`. */
export function capitalizeTypeName(name: string): string {
  return name.replace(/(^|::)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
}
