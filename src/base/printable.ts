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
