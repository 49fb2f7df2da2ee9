const blanks = '\0\t\n\v\f\r '

/** Removes leading and trailing white space and NUL, like Ruby's `strip`. */
export function stripBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && blanks.includes(text[start]!)) start += 1
  while (end > start && blanks.includes(text[end - 1]!)) end -= 1
  return text.slice(start, end)
}
