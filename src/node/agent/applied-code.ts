import { join } from 'node:path'
import type { Files } from '../../machine/system/system.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { LogLine } from './log.ts'

/** Code that a node applied: a commit, where the server has Git. */
export interface AppliedCode {
  readonly codeId: string
  readonly environment: string
}

/** The file that remembers the code applied last on this node. */
export interface AppliedCodeFile {
  load(): Promise<AppliedCode | undefined>
  save(code: AppliedCode): Promise<void>
}

/** The file in the folder of state; one that cannot be read counts as none. */
export function appliedCodeFile(files: Files, statedir: string): AppliedCodeFile {
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

/** The code of a catalog; a server that versions none names none. */
export function codeOf({ codeId, environment }: Catalog): AppliedCode | undefined {
  return codeId === undefined ? undefined : { codeId, environment }
}

/** Which code is applied, and in place of which; new code is a notice, so that logs of daemons have it. */
export function codeLine(code: AppliedCode, before: AppliedCode | undefined): LogLine {
  const { codeId, environment } = code
  const applying = `Applying code_id '${codeId}' of environment '${environment}'`
  if (!before) return { level: 'notice', message: `${applying}, the first on this node` }
  const isSameEnvironment = before.environment === environment
  if (isSameEnvironment && before.codeId === codeId) return { level: 'info', message: `${applying}, as before` }
  const elsewhere = isSameEnvironment ? '' : ` of environment '${before.environment}'`
  return { level: 'notice', message: `${applying} in place of '${before.codeId}'${elsewhere}` }
}
