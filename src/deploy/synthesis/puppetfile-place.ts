import { type Diagnostic, PuppetError } from '../../base/issue.ts'
import { lineSpan, type Span } from '../../base/source.ts'

/** The file that lists modules, in the root folder of a branch. */
export const puppetfileName = 'Puppetfile'

/** Returns a line of a Puppetfile, for errors. */
export function lineOfPuppetfile(text: string, line: number): Span {
  return lineSpan({ file: puppetfileName, text }, line)
}

/** Adds the module's line in the Puppetfile to an error without a location. */
export function placedError(error: unknown, text: string, line: number): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.span) return error
  const diagnostic: Diagnostic = { ...error.diagnostic, span: lineOfPuppetfile(text, line) }
  return new PuppetError(diagnostic, { cause: error })
}
