import { type Diagnostic, PuppetError } from '../../base/issue.ts'
import { lineSpan, type Span } from '../../base/source.ts'

/** The file that names modules, in the topmost folder of a branch. */
export const puppetfileName = 'Puppetfile'

/** A line of a Puppetfile, for errors. */
export function lineOfPuppetfile(text: string, line: number): Span {
  return lineSpan({ file: puppetfileName, text }, line)
}

/** An error about a module, with the place at which the Puppetfile names it where it has none of its own. */
export function placedError(error: unknown, text: string, line: number): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.span) return error
  const diagnostic: Diagnostic = { ...error.diagnostic, span: lineOfPuppetfile(text, line) }
  return new PuppetError(diagnostic, { cause: error })
}
