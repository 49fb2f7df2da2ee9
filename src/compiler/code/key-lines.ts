import { findKeyLines } from '../../language/ruby-semantics/yaml/key-lines.ts'

/** Larger files of data are not looked into for lines: characters. */
const maxDataText = 1024 * 1024

/** The keys of a file of data in YAML or JSON, and the lines on which they begin; none of what cannot be read. */
export function keyLines(file: string, text: string): ReadonlyMap<string, number> {
  return /\.(?:e?ya?ml|json)$/.test(file) && text.length <= maxDataText ? findKeyLines(text) : new Map()
}
