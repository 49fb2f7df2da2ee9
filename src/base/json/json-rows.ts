const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Splits a JSON array that arrives in pieces into the texts of its elements, in batches. Holds only
 * a piece and the longest element in memory, and scans each character once. Text that is not an
 * array is one element.
 */
export async function* splitJsonArray(pieces: AsyncIterable<string>): AsyncIterable<readonly string[]> {
  const splitter = new Splitter()
  for await (const piece of pieces) {
    const rows = splitter.add(piece)
    if (rows.length > 0) yield rows
  }
  const rest = splitter.rest()
  if (rest !== '') yield [rest]
}

class Splitter {
  /** Parts of the incomplete element. */
  #parts: string[] = []
  #array: boolean | undefined
  #depth = 0
  #inString = false
  #escaped = false

  /** Returns the elements that end in a piece. */
  add(piece: string): string[] {
    const rows: string[] = []
    let start = 0
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (this.#inString) this.#stringAt(code)
      else if (code === quote) this.#inString = true
      else if (code === openBracket && this.#array === undefined) {
        this.#array = true
        start = at + 1
      } else if (code === openBracket || code === openBrace) this.#depth++
      else if (this.#depth > 0 && (code === closeBracket || code === closeBrace)) this.#depth--
      else if (this.#array && this.#depth === 0 && (code === comma || code === closeBracket)) {
        this.#parts.push(piece.slice(start, at))
        const row = this.rest()
        if (row !== '') rows.push(row)
        start = at + 1
      }
      this.#array ??= code > 0x20 ? false : undefined
    }
    this.#parts.push(piece.slice(start))
    return rows
  }

  /** The text after the last complete element. */
  rest(): string {
    const text = this.#parts.join('').trim()
    this.#parts = []
    return text
  }

  #stringAt(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === backslash) this.#escaped = true
    else if (code === quote) this.#inString = false
  }
}
