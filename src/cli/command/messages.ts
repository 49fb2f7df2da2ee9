import { type Diagnostic, formatDiagnosticFrame, formatDiagnosticLine, PuppetError } from '../../base/issue.ts'
import { toPrintableLines } from '../../base/text/printable.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { FactLog } from '../../node/facts/log.ts'
import type { Io } from './command.ts'

/** The terminal that receives errors and warnings. */
export type Terminal = Pick<Io, 'err' | 'color'>

/** Escape sequences of Puppet's console colors. */
const colors = { Error: '\u001b[1;31m', Warning: '\u001b[1;33m', Note: '' } as const

/** Prints a message, and its hint on an indented line. */
export function printMessage(level: 'Error' | 'Warning' | 'Note', message: string, io: Terminal, hint?: string): void {
  const text = `${level}: ${toPrintableLines(message)}`
  io.err(`${io.color ? `${colors[level]}${text}\u001b[0m` : text}\n`)
  printHint(hint, io)
}

/** Returns a log that prints warnings and errors about facts. */
export function createTerminalFactLog(io: Terminal): FactLog {
  return (level, message) => {
    if (level === 'warn' || level === 'error')
      printMessage(level === 'warn' ? 'Warning' : 'Error', `Facter: ${message}`, io)
  }
}

/** Prints a diagnostic with its source location, and its hint. */
export function printDiagnostic(diagnostic: Diagnostic, io: Terminal): void {
  const { severity, hint } = diagnostic
  const level = severity === 'error' ? 'Error' : severity === 'note' ? 'Note' : 'Warning'
  printMessage(level, formatDiagnosticLine(diagnostic), io, hint)
}

/**
 * Prints a thrown error with its hint; on a color terminal also the source line with the marked position, and with `--trace`
 * the stack.
 */
export function printError(error: unknown, io: Terminal, trace = false): void {
  printMessage('Error', formatError(error), io)
  if (error instanceof PuppetError) {
    const { hint, span } = error.diagnostic
    if (span && io.color) io.err(`${formatDiagnosticFrame(error.diagnostic).split('\n').slice(1, 4).join('\n')}\n`)
    printHint(hint, io)
  }
  if (trace && error instanceof Error && error.stack) io.err(`${error.stack}\n`)
}

function printHint(hint: string | undefined, io: Terminal): void {
  if (hint) io.err(`  ${toPrintableLines(hint)}\n`)
}
