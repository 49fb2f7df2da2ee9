import { readFileSync } from 'node:fs'

/** The maximum number of open files and sockets of this process; undefined if there is no limit. */
export function getDescriptorLimit(): number | undefined {
  return readProcLimit() ?? readReportLimit()
}

/**
 * Reads the limit on Linux from /proc/self: Node.js raises the soft limit to the hard limit at
 * startup, which is visible only there.
 */
function readProcLimit(): number | undefined {
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

function readReportLimit(): number | undefined {
  const soft = (process.report?.getReport() as Report | undefined)?.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}
