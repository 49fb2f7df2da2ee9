import type { ExactJson } from '../../base/json/exact-json.ts'
import type { Machine } from './machine.ts'

/** Facts by name; what could not be found is left out. */
export type FactValues = Readonly<Record<string, ExactJson>>

/** Values by the dotted names of a source; `undefined` where this machine has none. */
export type Found = Readonly<Record<string, ExactJson | undefined>>

/** One subject of facts: finds all of them at once. */
export interface FactSource {
  /** The facts that may be blocked, cached or asked for alone: `os.family`, `mountpoints`. */
  readonly names: readonly string[]
  find(machine: Machine): Promise<Found>
}

/** A source whose facts are checked against their names. */
export function defineFacts<const Names extends readonly string[]>(
  names: Names,
  find: (machine: Machine) => Promise<{ readonly [Name in Names[number]]?: ExactJson | undefined }>,
): FactSource {
  return { names, find }
}

const multiples = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** `12.50 GiB`: as Facter shows sizes. */
export function humanBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const power = Math.floor(Math.log2(bytes) / 10)
  const value = Math.round((100 * bytes) / 1024 ** power) / 100
  return value === 1024 ? `1.00 ${multiples[power]}` : `${value.toFixed(2)} ${multiples[power - 1]}`
}

const prefixes: Readonly<Record<number, string>> = { 0: '', 3: 'k', 6: 'M', 9: 'G', 12: 'T' }

/** `2.45 GHz`; nothing of a speed that is not known. */
export function humanHertz(hertz: number): string | undefined {
  if (!(hertz >= 1)) return undefined
  const power = Math.floor(Math.log10(hertz))
  const shown = power - (power % 3)
  const value = hertz / 10 ** shown
  const hundredths = Math.round(value * 100)
  // As Ruby rounds: 2.445 is 2.45, whatever its last bits say.
  const rounded = (hundredths + 0.5) / 100 <= value ? hundredths + 1 : hundredths
  return `${(rounded / 100).toFixed(2)} ${prefixes[shown] ?? ''}Hz`
}

/** The used part of what there is. */
export function percentage(used: number, total: number): string {
  return `${((used / total) * 100).toFixed(2)}%`
}

/** The first line of a file, trimmed; `undefined` when it cannot be read or is empty. */
export async function line(machine: Machine, path: string): Promise<string | undefined> {
  return (await text(machine, path))?.trim() || undefined
}

/** The text of a file; `undefined` when it cannot be read. */
export async function text(machine: Machine, path: string): Promise<string | undefined> {
  return machine.files.readText(path).catch(() => undefined)
}

/** The object without what is `undefined`. */
export function present(values: Readonly<Record<string, ExactJson | undefined>>): Record<string, ExactJson> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
    string,
    ExactJson
  >
}
