import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'

/** Larger files of data are not looked into for lines: characters. */
const maxDataText = 1024 * 1024

/** The keys of a file of data in YAML or JSON, and the lines on which they begin; none of what cannot be read. */
export function keyLines(file: string, text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  if (!/\.(?:e?ya?ml|json)$/.test(file) || text.length > maxDataText) return found
  const lines = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  if (!isMap(contents)) return found
  for (const { key } of contents.items)
    if (isScalar(key) && key.range) found.set(String(key.value), lines.linePos(key.range[0]).line)
  return found
}
