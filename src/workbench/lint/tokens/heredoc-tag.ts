import { isBlank, isSpace } from './characters.ts'

/** The tag of a heredoc, such as `"END":json/L`. */
export interface HeredocTag {
  /** The text that ends the heredoc. */
  readonly name: string
  readonly interpolates: boolean
}

/** Parses the text between `@(` and `)`. */
export function parseHeredocTag(tag: string): HeredocTag {
  const interpolates = tag.startsWith('"')
  const start = interpolates && tag.length > 1 ? 1 : 0
  for (let end = start + 1; end < tag.length; end++) {
    const rest = tag[end] === '"' ? end + 1 : end
    if (isTagEnd(tag, rest)) return { name: tag.slice(start, end), interpolates }
    while (isBlank(tag.charCodeAt(end)) && isBlank(tag.charCodeAt(end + 1))) end++
  }
  return { name: tag.slice(start), interpolates }
}

/** True if nothing, a syntax or escapes follow the name. */
function isTagEnd(tag: string, at: number): boolean {
  if (tag[at] === ':' && at + 1 < tag.length) return true
  let end = at
  while (isBlank(tag.charCodeAt(end))) end++
  return end === tag.length || tag[end] === '/'
}

/** The place of the line that ends a heredoc. */
export interface HeredocEnd {
  /** The offset of its first `|`, `-` or white space. */
  readonly start: number
  /** The offset after the name. */
  readonly end: number
}

/** Finds the next end of a heredoc: its name at the end of a line, after an optional `|` and `-`. */
export function findHeredocEnd(text: string, from: number, name: string): HeredocEnd | undefined {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    if (end !== text.length && text[end] !== '\n') continue
    const skipSpaces = (to: number): number => {
      let start = to
      while (start > from && isSpace(text.charCodeAt(start - 1))) start--
      return start
    }
    let start = skipSpaces(at)
    if (start > from && text[start - 1] === '-') start = skipSpaces(start - 1)
    if (start > from && text[start - 1] === '|') start--
    return { start, end }
  }
  return undefined
}
