/**
 * Where a text of JSON goes on behind white space and the comments that Ruby's parser takes. A comment of a line needs its
 * line's end, unless the last line may be open; one that is not closed is none.
 */
export function afterBlanks(text: string, start: number, mayBeOpen: boolean): number {
  let at = start
  while (true) {
    const character = text[at]
    if (character === ' ' || character === '\t' || character === '\r' || character === '\n') at++
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) return at
      at = end + 2
    } else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      if (end < 0) return mayBeOpen ? text.length : at
      at = end + 1
    } else return at
  }
}
