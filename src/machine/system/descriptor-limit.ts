import { readFileSync } from 'node:fs'

/** The machine's limit on open files and sockets of this process; `undefined` without such a limit. */
export function descriptorLimit(): number | undefined {
  return ofProc() ?? ofReport()
}

/** Linux. Node raises the soft limit to the hard one when it starts, so that only the process itself can say. */
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
