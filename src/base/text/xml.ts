const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Otherwise, a parser replaces them by spaces in attributes.
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Escapes text for XML 1.0 and double-quoted attributes; characters that XML cannot contain become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\n\r]/g, (character) => entities[character]!)
}
