import { toPrintable } from '../../base/text/printable.ts'

/** A stream that commands write to. */
export interface TerminalOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Codes of the colors that our commands print. None of them hides text. */
const colours = ['', '0', '2', '1;31', '1;33', '1;36', '0;32', '0;36'].map((code) => `\u001b[${code}m`)
const breaks = /(\u001b\[[0-9;]{0,4}m|[\n\t])/

/** Clears the line, for progress lines. Allowed only at the start of a text: elsewhere it would hide earlier text. */
const anew = '\r\u001b[K'

/**
 * Returns a function that writes to a stream. On a terminal, control characters in names, facts and server responses are
 * escaped; only text, line breaks, tabs and our own colors pass. Pipes and files receive the text unchanged.
 */
export function createWriter(output: TerminalOutput): (text: string) => void {
  return (text) => void output.write(output.isTTY ? escapeForTerminal(text) : text)
}

/** Escapes control characters for a terminal. */
export function escapeForTerminal(text: string): string {
  const start = text.startsWith(anew) ? anew : ''
  const parts = text.slice(start.length).split(breaks)
  return (
    start +
    parts.map((part) => (part === '\n' || part === '\t' || colours.includes(part) ? part : toPrintable(part))).join('')
  )
}
