/** All that moves a cursor, begins a line, hides or turns text around: C0, DEL, C1, line and paragraph separators, bidi. */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * Text from outside as one line that a terminal or a log shows and does not obey: what is unprintable stands as `\x1b` or
 * `\u{202e}`. A backslash that was there stays, so that paths and patterns read as they are.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (char) => {
    const code = char.charCodeAt(0)
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** The same, but tabs stay: a line of a file. */
export function printableWithTabs(line: string): string {
  return line.split('\t').map(printable).join('\t')
}

/**
 * A message from outside that may have several lines, as a log shows it: the first line stands where it is written, the
 * others are indented, so that none of them passes for a message of its own. Tabs stay.
 */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map(printableWithTabs)
    .map((line, index) => (index === 0 || line === '' ? line : `  ${line}`))
    .join('\n')
}

/** A line of JSON that means the same, and that a terminal shows and does not obey. */
export function printableJson(line: string): string {
  return line.replace(unprintable, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
