import { isBlank, isNameStart, isWord } from './characters.ts'

const lineBreak = /[\r\n]/g
const dash = 0x2d

/** The offset after white space within a line. */
export function endOfBlanks(text: string, start: number): number {
  let end = start
  while (isBlank(text.charCodeAt(end))) end++
  return end
}

/** The offset after word characters and dashes. */
export function endOfDashes(text: string, start: number): number {
  let end = start
  while (isWord(text.charCodeAt(end)) || text.charCodeAt(end) === dash) end++
  return end
}

/** The offset after a qualified name. */
export function endOfName(text: string, start: number): number {
  let end = endOfDashes(text, text.startsWith('::', start) ? start + 2 : start)
  while (text.startsWith('::', end) && text[end + 2] !== '_' && isNameStart(text.charCodeAt(end + 2)))
    end = endOfDashes(text, end + 2)
  return end
}

/** The offset after the indexes of a variable, such as `['os']['family']`, which end at the first bracket. */
export function endOfIndexes(text: string, start: number): number {
  let end = start
  while (text[end] === '[') {
    const close = text.indexOf(']', end + 2)
    if (close === -1) return end
    const lineBreak = text.indexOf('\n', end + 1)
    if (lineBreak !== -1 && lineBreak < close) return end
    end = close + 1
  }
  return end
}

/** The offset of the first delimiter with an even number of backslashes before it. */
export function endOfDelimited(text: string, start: number, delimiter: string): number | undefined {
  for (let at = text.indexOf(delimiter, start); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    let runStart = at
    while (runStart > start && text[runStart - 1] === '\\') runStart--
    if ((at - runStart) % 2 === 0) return at
  }
  return undefined
}

/** The tag of a heredoc whose `@(` is at the offset. */
export function readHeredocTag(text: string, start: number): string | undefined {
  if (text[start + 1] !== '(') return undefined
  const end = text.indexOf(')', start + 3)
  if (end === -1) return undefined
  const tag = text.slice(start + 2, end)
  return tag.includes('\n') ? undefined : tag
}

/** A comment without its marks: those around it, and the star at the beginning of each line. */
export function stripCommentMarks(raw: string): string {
  const start = raw[2] === ' ' ? 3 : 2
  const end = raw.at(-3) === ' ' && raw.length - 3 >= start ? -3 : -2
  return raw
    .slice(start, end)
    .split('\n')
    .map((line) => {
      let at = 0
      while (line[at] === ' ') at++
      return line[at] === '*' ? line.slice(at + 1) : line
    })
    .join('\n')
}

/** The offset of the next line break, or of the end of the text. */
export function endOfLine(text: string, start: number): number {
  lineBreak.lastIndex = start
  return lineBreak.test(text) ? lineBreak.lastIndex - 1 : text.length
}

/** The length of the line break at an offset; 0 if there is none. */
export function lineBreakLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === 0x0a) return 1
  if (code !== 0x0d) return 0
  return text.charCodeAt(at + 1) === 0x0a ? 2 : 1
}
