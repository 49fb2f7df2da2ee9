import { findKeyLines } from '../../language/ruby-semantics/yaml/key-lines.ts'

/** Line numbers are not searched in data files with more characters than this limit. */
const maxDataText = 1024 * 1024

/** Returns the top-level keys in a YAML or JSON data file, with their line numbers; empty if the file is invalid. */
export function readDataKeyLines(file: string, text: string): ReadonlyMap<string, number> {
  return /\.(?:e?ya?ml|json)$/.test(file) && text.length <= maxDataText ? findKeyLines(text) : new Map()
}
