import type { ExactJson } from '../../base/json/exact-json.ts'
import type { Machine } from './machine.ts'

/** Facts by name, without facts that have no value. */
export type FactValues = Readonly<Record<string, ExactJson>>

/** The values that a source found, by dotted name; undefined for facts without a value on this machine. */
export type SourceFacts = Readonly<Record<string, ExactJson | undefined>>

/** A source that collects several related facts at once. */
export interface FactSource {
  /** The facts that can be blocked, cached or queried individually: `os.family`, `mountpoints`. */
  readonly names: readonly string[]
  find(machine: Machine): Promise<SourceFacts>
}

/** Creates a source; the compiler checks the returned facts against `names`. */
export function defineFacts<const Names extends readonly string[]>(
  names: Names,
  find: (machine: Machine) => Promise<{ readonly [Name in Names[number]]?: ExactJson | undefined }>,
): FactSource {
  return { names, find }
}

const multiples = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** A size in Facter's notation: `12.50 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const power = Math.floor(Math.log2(bytes) / 10)
  const value = Math.round((100 * bytes) / 1024 ** power) / 100
  return value === 1024 ? `1.00 ${multiples[power]}` : `${value.toFixed(2)} ${multiples[power - 1]}`
}

const prefixes: Readonly<Record<number, string>> = { 0: '', 3: 'k', 6: 'M', 9: 'G', 12: 'T' }

/** A frequency in Facter's notation: `2.45 GHz`; undefined if unknown. */
export function formatHertz(hertz: number): string | undefined {
  if (!(hertz >= 1)) return undefined
  const power = Math.floor(Math.log10(hertz))
  const shown = power - (power % 3)
  const value = hertz / 10 ** shown
  const hundredths = Math.round(value * 100)
  // Rounds like Ruby: 2.445 becomes 2.45, although its binary value may be slightly lower.
  const rounded = (hundredths + 0.5) / 100 <= value ? hundredths + 1 : hundredths
  return `${(rounded / 100).toFixed(2)} ${prefixes[shown] ?? ''}Hz`
}

/** `used` as a percentage of `total`. */
export function formatPercentage(used: number, total: number): string {
  return `${((used / total) * 100).toFixed(2)}%`
}

/** The trimmed text of a file, usually one line; undefined if the file is unreadable or empty. */
export async function readTrimmedText(machine: Machine, path: string): Promise<string | undefined> {
  return (await readTextFile(machine, path))?.trim() || undefined
}

/** The text of a file; undefined if it is unreadable. */
export async function readTextFile(machine: Machine, path: string): Promise<string | undefined> {
  return machine.files.readText(path).catch(() => undefined)
}

/** A copy without undefined values. */
export function omitUndefined(values: Readonly<Record<string, ExactJson | undefined>>): Record<string, ExactJson> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
    string,
    ExactJson
  >
}
