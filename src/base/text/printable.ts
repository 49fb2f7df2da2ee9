/**
 * Characters that move the cursor, start a line, or hide or reorder text: C0, DEL, C1, line and
 * paragraph separators, bidi controls.
 */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * Makes external text safe for a terminal or log line: unprintable characters become escapes such
 * as `\x1b` or `\u{202e}`. Existing backslashes are unchanged, so that paths and patterns stay
 * readable.
 */
export function toPrintable(text: string): string {
  return text.replace(unprintable, (char) => {
    const code = char.charCodeAt(0)
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Like `toPrintable`, but keeps tabs; for a line of a file. */
export function toPrintableLine(line: string): string {
  return line.split('\t').map(toPrintable).join('\t')
}

/**
 * Makes an external multi-line message safe for a log: indents all lines after the first, so that no line looks like a
 * separate message. Keeps tabs.
 */
export function toPrintableLines(text: string): string {
  return text
    .split('\n')
    .map(toPrintableLine)
    .map((line, index) => (index === 0 || line === '' ? line : `  ${line}`))
    .join('\n')
}

/** Escapes unprintable characters in a JSON line without changing its meaning. */
export function toPrintableJson(line: string): string {
  return line.replace(unprintable, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
