import { type Diagnostic, inFrame, inOneLine, PuppetError } from '../../base/issue.ts'
import { printableLines } from '../../base/text/printable.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { FactLog } from '../../node/facts/log.ts'
import type { Io } from './command.ts'

/** The terminal that receives errors and warnings. */
export type Terminal = Pick<Io, 'err' | 'color'>

/** Escape sequences of Puppet's console colors. */
const colors = { Error: '\u001b[1;31m', Warning: '\u001b[1;33m', Note: '' } as const

/** Prints a message, and its hint on an indented line. */
export function say(level: 'Error' | 'Warning' | 'Note', message: string, io: Terminal, hint?: string): void {
  const text = `${level}: ${printableLines(message)}`
  io.err(`${io.color ? `${colors[level]}${text}\u001b[0m` : text}\n`)
  sayHint(hint, io)
}

/** Returns a log that prints warnings and errors about facts. */
export function sayOfFacts(io: Terminal): FactLog {
  return (level, message) => {
    if (level === 'warn' || level === 'error') say(level === 'warn' ? 'Warning' : 'Error', `Facter: ${message}`, io)
  }
}

/** Prints a diagnostic with its source location, and its hint. */
export function sayDiagnostic(diagnostic: Diagnostic, io: Terminal): void {
  const { severity, hint } = diagnostic
  const level = severity === 'error' ? 'Error' : severity === 'note' ? 'Note' : 'Warning'
  say(level, inOneLine(diagnostic), io, hint)
}

/**
 * Prints a thrown error with its hint; on a color terminal also the source line with the marked position, and with `--trace`
 * the stack.
 */
export function sayError(error: unknown, io: Terminal, trace = false): void {
  say('Error', errorText(error), io)
  if (error instanceof PuppetError) {
    const { hint, span } = error.diagnostic
    if (span && io.color) io.err(`${inFrame(error.diagnostic).split('\n').slice(1, 4).join('\n')}\n`)
    sayHint(hint, io)
  }
  if (trace && error instanceof Error && error.stack) io.err(`${error.stack}\n`)
}

function sayHint(hint: string | undefined, io: Terminal): void {
  if (hint) io.err(`  ${printableLines(hint)}\n`)
}
