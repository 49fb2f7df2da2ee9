/**
 * Quotes a string as Puppet does: in single quotes, or in double quotes if it has control characters. Puppet does not
 * escape a backslash before a quote or another backslash (string_converter.rb), so two backslashes print like a single
 * one.
 */
export function quote(text: string): string {
  if (hasControls(text)) return doubleQuote(text)
  const escaped = text.replace(/\\[\s\S]|'/g, (found) => (found.length === 2 ? found : `\\${found}`))
  return `'${escaped}'`
}

/**
 * Quotes a string as code that evaluates to the same string. The result differs from `quote` only where `quote` is
 * ambiguous.
 */
export function quoteForCode(text: string): string {
  return hasControls(text) ? doubleQuote(text) : `'${text.replace(/'|\\(?=['\\]|$)/g, '\\$&')}'`
}

function hasControls(text: string): boolean {
  return /[\x00-\x1f]/.test(text)
}

const escapes: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  $: '\\$',
  '\\': '\\\\',
}

/** Quotes a string in double quotes with escape sequences. */
export function doubleQuote(text: string): string {
  const escaped = text.replace(/[\x00-\x1f"$\\]/g, (character) => {
    return escapes[character] ?? `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`
  })
  return `"${escaped}"`
}
