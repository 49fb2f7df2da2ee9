import type { Value } from '../../../language/values/value.ts'
import type { RegistryView } from '../../../machine/registry/registry.ts'
import { type AttributeKind, failMunging, toPlainText } from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'

/** A key of the registry as the titles of the module registry name it. */
export interface RegistryKeyPath {
  /** The path in titles, for example `32:hklm\Software\Vendor`. */
  readonly canonical: string
  readonly view: RegistryView
  /** The path with the full name of the root, as Windows names it. */
  readonly key: string
}

/** A value of the registry; the default value of a key has an empty name. */
export interface RegistryValuePath extends RegistryKeyPath {
  readonly valueName: string
}

const roots = [
  ['hklm', 'HKEY_LOCAL_MACHINE'],
  ['hkcr', 'HKEY_CLASSES_ROOT'],
  ['hku', 'HKEY_USERS'],
] as const

const unsupportedRoots = [
  ...['hkey_current_user', 'hkcu', 'hkey_current_config', 'hkcc', 'hkey_performance_data', 'hkey_performance_text'],
  ...['hkey_performance_nlstext', 'hkey_dyn_data'],
]

const longestName = 255

/** Parses the path of a key: `HKLM\x`, `32:HKEY_LOCAL_MACHINE\x`. A string in place of a path is an error message. */
export function parseRegistryKeyPath(path: string): RegistryKeyPath | string {
  let end = path.length
  while (path[end - 1] === '\\') end -= 1
  const whole = path.slice(0, end)
  const is32 = whole.startsWith('32:')
  const [first = '', ...names] = whole.slice(is32 ? 3 : 0).split('\\')
  const isValid = /^[h|]/i.test(first) && names.every((name) => name !== '' && [...name].length <= longestName)
  if (!isValid) return `Invalid registry key: ${whole}`
  const root = first.toLowerCase()
  const found = roots.find(([short, long]) => root.includes(long.toLowerCase()) || root.includes(short))
  if (!found) {
    const isKnown = unsupportedRoots.some((name) => root.includes(name))
    return `${isKnown ? 'Unsupported predefined key' : 'Invalid registry key'}: ${root}`
  }
  return {
    canonical: `${is32 ? '32:' : ''}${[found[0], ...names].join('\\')}`,
    view: is32 ? 32 : 64,
    key: [found[1], ...names].join('\\'),
  }
}

/** Parses the path of a value: `KEY\name`, `KEY\\name` for a name with backslashes, `KEY\` for the default value. */
export function parseRegistryValuePath(path: string): RegistryValuePath | string {
  const double = path.indexOf('\\\\')
  const at = double < 0 ? path.lastIndexOf('\\') : double
  const valueName = path.slice(at + (double < 0 ? 1 : 2))
  const parsed = at < 0 ? `Invalid registry key: ${path}` : parseRegistryKeyPath(path.slice(0, at))
  if (typeof parsed === 'string') return parsed
  return { ...parsed, canonical: joinValuePath(parsed.canonical, valueName), valueName }
}

/** The title of a value of a key. */
export const joinValuePath = (key: string, name: string): string =>
  `${key}${name.includes('\\') ? '\\\\' : '\\'}${name}`

/** The canonical path of a key. */
export const registryKeyKind: AttributeKind<string> = {
  parse: (value) => toCanonical(value, parseRegistryKeyPath(toPlainText(value))),
}

/** The canonical path of a value. */
export const registryValueKind: AttributeKind<string> = {
  parse(value) {
    const path = toPlainText(value)
    // The module rejects this path before it converts it.
    if (!path.includes('\\')) failWithMessage(`Invalid registry key: ${path}`)
    return toCanonical(value, parseRegistryValuePath(path))
  },
}

function toCanonical(value: Value, parsed: RegistryKeyPath | string): string {
  return typeof parsed === 'string' ? failMunging('path', value, parsed) : parsed.canonical
}

/** The keys above a canonical path, the nearest first, as the registry compares them. */
export function listAncestors(path: string): readonly string[] {
  const names = path.toLowerCase().split('\\')
  return names.slice(1).map((_, index) => names.slice(0, names.length - 1 - index).join('\\'))
}
