/**
 * Returns the offset after white space and the comments that Ruby's JSON parser accepts. A line comment must end with a
 * line break, unless `mayBeOpen` is true. An unclosed block comment is not skipped.
 */
export function skipJsonBlanks(text: string, start: number, mayBeOpen: boolean): number {
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
