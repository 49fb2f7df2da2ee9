/** A text without those of these characters that it ends with; where there are many, a pattern would look at each many times. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** A path without the slashes that it ends with; the root keeps its own. */
export function withoutTrailingSlashes(path: string): string {
  return withoutTrailing(path, '/') || path.slice(0, 1)
}
