import type { ExactJson } from '../base/exact-json.ts'
import type { System } from '../system/system.ts'

/** Facts by name; what could not be found is left out. */
export type FactValues = Readonly<Record<string, ExactJson>>

/** One subject of facts: finds all of them at once. */
export interface FactSource {
  readonly name: string
  find(system: System): Promise<FactValues>
}

/** `12.50 GiB`: as Facter shows sizes. */
export function humanBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return unit === 0 ? `${bytes} bytes` : `${value.toFixed(2)} ${units[unit]}`
}

/** The first line of a file, trimmed; `undefined` when it cannot be read or is empty. */
export async function line(system: System, path: string): Promise<string | undefined> {
  const text = await system.files.readText(path).catch(() => undefined)
  return text?.trim() || undefined
}

/** The object without what is `undefined`. */
export function present(values: Readonly<Record<string, ExactJson | undefined>>): Record<string, ExactJson> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
    string,
    ExactJson
  >
}
