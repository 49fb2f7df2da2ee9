import { join } from 'node:path'
import type { Files } from '../../machine/system/system.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { LogLine } from './log.ts'

/** The code that a node applied: a commit ID and its environment. */
export interface AppliedCode {
  readonly codeId: string
  readonly environment: string
}

/** The file with the code that this node applied last. */
export interface AppliedCodeFile {
  load(): Promise<AppliedCode | undefined>
  save(code: AppliedCode): Promise<void>
}

/** Opens the file in `statedir`. An unreadable file is treated as missing. */
export function openAppliedCodeFile(files: Files, statedir: string): AppliedCodeFile {
  const path = join(statedir, 'applied_code.json')
  return {
    async load() {
      try {
        const { code_id: codeId, environment } = JSON.parse((await files.readText(path)) ?? '{}')
        return typeof codeId === 'string' && typeof environment === 'string' ? { codeId, environment } : undefined
      } catch {
        return undefined
      }
    },
    save: ({ codeId, environment }) =>
      files.write(path, `${JSON.stringify({ code_id: codeId, environment })}\n`, 0o640),
  }
}

/** The code of a catalog; undefined if the server sends no `code_id`. */
export function getAppliedCode({ codeId, environment }: Catalog): AppliedCode | undefined {
  return codeId === undefined ? undefined : { codeId, environment }
}

/**
 * Creates the log line for the applied code. New code is logged as a notice, so that a daemon's log
 * contains it.
 */
export function createCodeLogLine(code: AppliedCode, before: AppliedCode | undefined): LogLine {
  const { codeId, environment } = code
  const applying = `Applying code_id '${codeId}' of environment '${environment}'`
  if (!before) return { level: 'notice', message: `${applying}, the first on this node` }
  const isSameEnvironment = before.environment === environment
  if (isSameEnvironment && before.codeId === codeId) return { level: 'info', message: `${applying}, as before` }
  const elsewhere = isSameEnvironment ? '' : ` of environment '${before.environment}'`
  return { level: 'notice', message: `${applying} in place of '${before.codeId}'${elsewhere}` }
}
