/** Splits a key such as `a.0."b.c"` into strings and, for integers, numbers; `undefined` if the key is malformed. */
export function splitKey(key: string): (string | number)[] | undefined {
  if (!/['".]/.test(key)) return [key]
  const segments: (string | number)[] = []
  let at = 0
  while (true) {
    segmentPattern.lastIndex = at
    const found = segmentPattern.exec(key)
    if (!found) return undefined
    segments.push(parseSegment(found[0].trim()))
    at = segmentPattern.lastIndex
    if (at === key.length) return segments
    if (key[at] !== '.') return undefined
    at++
  }
}

const segmentPattern = /\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+/y

function parseSegment(text: string): string | number {
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1)
  return /^[+-]?\d+$/.test(text) ? Number(text) : text
}
