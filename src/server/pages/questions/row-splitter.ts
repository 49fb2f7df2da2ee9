/**
 * Splits a JSON array that arrives in pieces into the texts of its rows. At most one row is held in memory, and the caller can
 * stop early. A piece may end anywhere; text outside the array is ignored.
 */
export async function* splitRows(pieces: AsyncIterable<string>): AsyncIterable<string> {
  const scan = createScan()
  for await (const piece of pieces) yield* splitPiece(scan, piece)
}

interface Scan {
  /** Number of open brackets; rows are at depth 1. */
  depth: number
  inText: boolean
  escaped: boolean
  /** The beginning of an incomplete row, from earlier pieces. */
  held: string
}

const createScan = (): Scan => ({ depth: 0, inText: false, escaped: false, held: '' })

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

function* splitPiece(scan: Scan, piece: string): Iterable<string> {
  let start = 0
  const takeRow = (end: number) => {
    const text = (scan.held + piece.slice(start, end)).trim()
    scan.held = ''
    return text
  }
  for (let at = 0; at < piece.length; at++) {
    const char = piece.charCodeAt(at)
    if (scan.escaped) scan.escaped = false
    else if (scan.inText) {
      if (char === backslash) scan.escaped = true
      else if (char === quote) scan.inText = false
    } else if (char === quote) scan.inText = true
    else if (opening.has(char)) {
      if (++scan.depth === 1) start = at + 1
    } else if (closing.has(char) || (char === comma && scan.depth === 1)) {
      if (char !== comma) scan.depth--
      const ends = char === comma || scan.depth === 0
      if (!ends) continue
      const row = takeRow(at)
      start = at + 1
      if (row !== '') yield row
    }
  }
  if (scan.depth > 0) scan.held += piece.slice(start)
}
