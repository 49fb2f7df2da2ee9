/** Escapes a text like Ruby's `Regexp.escape`. */
export function escapeRegexp(text: string): string {
  return text.replace(
    /[[\]{}()|\-*.\\?+^$# \t\f\v\n\r]/g,
    (found) =>
      `\\${({ '\t': 't', '\f': 'f', '\v': 'v', '\n': 'n', '\r': 'r' } as Record<string, string>)[found] ?? found}`,
  )
}
