import { type Diagnostic, inOneLine } from '../base/issue.ts'
import { lineOf } from '../base/source.ts'
import type { CompileLog } from './compile-request.ts'

const labels: Readonly<Record<string, string>> = {
  debug: 'Debug',
  info: 'Info',
  notice: 'Notice',
  warning: 'Warning',
  err: 'Error',
  alert: 'Alert',
  emerg: 'Emergency',
  crit: 'Critical',
}

/** A log as Puppet prints it: `Notice: Scope(Class[main]): hello`. */
export function logLine({ level, message, source }: CompileLog): string {
  return `${labels[level] ?? level}: ${source === 'Puppet' ? '' : `${source}: `}${message}`
}

/** The log of a warning of the compiler's own. */
export function warningLog(diagnostic: Diagnostic): CompileLog {
  const { span } = diagnostic
  return {
    level: 'warning',
    message: inOneLine(diagnostic),
    source: 'Puppet',
    file: span?.source.file,
    line: span && lineOf(span),
    diagnostic,
  }
}
