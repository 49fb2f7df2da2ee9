/**
 * Removes the given characters from the end of a text. A regular expression would take quadratic
 * time.
 */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Removes slashes from the end of a path; the root keeps its slash. */
export function trimTrailingSlashes(path: string): string {
  return trimTrailing(path, '/') || path.slice(0, 1)
}
