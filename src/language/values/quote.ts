/**
 * A string as Puppet writes it: in single quotes, or in double quotes when it has control characters. A backslash before
 * a quote or another one is forgotten, as Puppet does (string_converter.rb):
 * two backslashes look like one.
 */
export function quote(text: string): string {
  if (hasControls(text)) return doubleQuote(text)
  const escaped = text.replace(/\\[\s\S]|'/g, (found) => (found.length === 2 ? found : `\\${found}`))
  return `'${escaped}'`
}

/** A string as code that gives it again; it is `quote`'s unless that forgets a backslash. */
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

/** A string in double quotes. */
export function doubleQuote(text: string): string {
  const escaped = text.replace(/[\x00-\x1f"$\\]/g, (character) => {
    return escapes[character] ?? `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`
  })
  return `"${escaped}"`
}
