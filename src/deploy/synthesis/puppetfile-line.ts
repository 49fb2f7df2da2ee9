import { type Diagnostic, PuppetError } from '../../base/issue.ts'
import { getLineSpan, type SourceSpan } from '../../base/source.ts'

/** The file that lists modules, in the root folder of a branch. */
export const puppetfileName = 'Puppetfile'

/** Returns a line of a Puppetfile, for errors. */
export function getPuppetfileLine(text: string, line: number): SourceSpan {
  return getLineSpan({ file: puppetfileName, text }, line)
}

/** Adds the module's line in the Puppetfile to an error without a location. */
export function addPuppetfileLine(error: unknown, text: string, line: number): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.span) return error
  const diagnostic: Diagnostic = { ...error.diagnostic, span: getPuppetfileLine(text, line) }
  return new PuppetError(diagnostic, { cause: error })
}
