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
