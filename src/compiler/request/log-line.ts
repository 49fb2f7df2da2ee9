import { type Diagnostic, formatDiagnosticLine } from '../../base/issue.ts'
import { getStartLine } from '../../base/source.ts'
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

/** Returns a log line as Puppet prints it: `Notice: Scope(Class[main]): hello`. */
export function formatLogLine({ level, message, source }: CompileLog): string {
  return `${labels[level] ?? level}: ${source === 'Puppet' ? '' : `${source}: `}${message}`
}

/** Converts a diagnostic of the compiler to a log line. */
export function toCompileLog(diagnostic: Diagnostic): CompileLog {
  const { severity, span } = diagnostic
  return {
    level: severity === 'error' ? 'err' : 'warning',
    message: formatDiagnosticLine(diagnostic),
    source: 'Puppet',
    file: span?.source.file,
    line: span && getStartLine(span),
    diagnostic,
    ...(diagnostic.once && { once: true }),
  }
}
