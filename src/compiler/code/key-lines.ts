import { findKeyLines } from '../../language/ruby-semantics/yaml/key-lines.ts'

/** Maximum length in characters of a data file that is searched for line numbers. */
const maxDataText = 1024 * 1024

/** Top-level keys of a YAML or JSON data file with their line numbers; empty if the file is invalid. */
export function keyLines(file: string, text: string): ReadonlyMap<string, number> {
  return /\.(?:e?ya?ml|json)$/.test(file) && text.length <= maxDataText ? findKeyLines(text) : new Map()
}
