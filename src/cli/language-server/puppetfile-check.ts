import { type Diagnostic, PuppetError } from '../../base/issue.ts'
import { readModuleSources } from '../../deploy/puppetfile/allowed-sources.ts'
import { PuppetfileEvaluator } from '../../deploy/puppetfile/puppetfile-evaluator.ts'
import { readPuppetfile } from '../../deploy/puppetfile/puppetfile-reader.ts'
import type { CheckPuppetfile } from '../../workbench/language-server/document-checks.ts'

/** A check of Puppetfiles, whose Ruby code runs in a thread without files and network. */
export interface PuppetfileCheck {
  readonly check: CheckPuppetfile
  close(): Promise<void>
}

/** Hosts that modules may come from. The editor does not know the setting `puppetfile_sources` of the server. */
const sources = readModuleSources(['https://', 'ssh://'])

/** Errors that depend on the server and on the files of its repository. */
const serverErrors: ReadonlySet<string> = new Set(['PUPPETFILE_SOURCE_REFUSED', 'PUPPETFILE_ADDRESS'])

/** Opens a check of Puppetfiles; the thread starts with the first one. */
export function openPuppetfileCheck(): PuppetfileCheck {
  const evaluator = new PuppetfileEvaluator()
  return {
    async check(text, file) {
      try {
        await readPuppetfile(Buffer.from(text), { evaluator, sources, branch: 'production', file })
        return []
      } catch (error) {
        const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
        return errors.map(getDiagnostic).filter(({ code }) => !serverErrors.has(code))
      }
    },
    close: () => evaluator.close(),
  }
}

function getDiagnostic(error: unknown): Diagnostic {
  if (error instanceof PuppetError) return error.diagnostic
  throw error
}
