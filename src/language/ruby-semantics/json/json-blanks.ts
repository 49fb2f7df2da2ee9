/**
 * The offset behind white space and the comments that Ruby's JSON parser takes. A line comment needs its
 * line's end, unless the last line may be open; an unclosed comment is no comment.
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
