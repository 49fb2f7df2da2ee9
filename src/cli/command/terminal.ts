import { printable } from '../../base/text/printable.ts'

/** A stream that commands write to. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** The colours that our commands make; those that hide text are none of them. */
const colours = ['', '0', '2', '1;31', '1;33', '1;36', '0;32', '0;36'].map((code) => `\u001b[${code}m`)
const breaks = /(\u001b\[[0-9;]{0,4}m|[\n\t])/

/** Begins a line anew, as a line of progress does; only where a text begins, for within one it would hide what is before. */
const anew = '\r\u001b[K'

/**
 * Writes to a stream. A terminal is sent nothing but text, line breaks, tabs and our own colours: whatever else a name, a
 * fact or an answer of a server holds is shown and not obeyed. A pipe or a file gets every byte.
 */
export function writerTo(output: Output): (text: string) => void {
  return (text) => void output.write(output.isTTY ? forTerminal(text) : text)
}

/** The text as a terminal is sent it. */
export function forTerminal(text: string): string {
  const start = text.startsWith(anew) ? anew : ''
  const parts = text.slice(start.length).split(breaks)
  return (
    start +
    parts.map((part) => (part === '\n' || part === '\t' || colours.includes(part) ? part : printable(part))).join('')
  )
}
