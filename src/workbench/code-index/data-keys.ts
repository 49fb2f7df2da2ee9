import type { Source, SourceSpan } from '../../base/source.ts'

/** A key at the top level of a file of Hiera data. */
export interface DataKey {
  readonly name: string
  /** The key without quotes. */
  readonly span: SourceSpan
}

const keyPattern = /^(["']?)([a-z]\w*(?:::\w+)*)\1[ \t]*:(?=\s|$)/gm

/** True for a file of Hiera data. */
export function isDataFile(path: string): boolean {
  return /\.(?:yaml|yml|eyaml)$/.test(path)
}

/** Lists the keys of a YAML file by their lines; the file need not be valid. */
export function listDataKeys(source: Source): readonly DataKey[] {
  return Array.from(source.text.matchAll(keyPattern), ({ index, 1: quote = '', 2: name = '' }) => {
    const start = index + quote.length
    return { name, span: { source, start, end: start + name.length } }
  })
}
