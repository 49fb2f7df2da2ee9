/** A string as Puppet writes it: in single quotes, or in double quotes when it has control characters. */
export function quote(text: string): string {
  if (/[\x00-\x1f]/.test(text)) return doubleQuote(text)
  const escaped = text.replace(/\\[\s\S]|'|\\$/g, (found) => (found.length === 2 ? found : `\\${found}`))
  return `'${escaped}'`
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
