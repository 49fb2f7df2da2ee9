import { readFileSync } from 'node:fs'

/** The limit on open files and sockets of this process; undefined if there is none. */
export function descriptorLimit(): number | undefined {
  return ofProc() ?? ofReport()
}

/**
 * Reads the limit on Linux. Node.js raises the soft limit to the hard limit at startup, so only
 * /proc/self shows it.
 */
function ofProc(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
}

function ofReport(): number | undefined {
  const soft = (process.report?.getReport() as Report | undefined)?.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}
