import { type Diagnostic, PuppetError } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import { parseSource } from '../../language/syntax/parser/parser.ts'
import type { Program } from '../../language/syntax/tree/nodes.ts'
import { validateProgram } from '../../language/syntax/validation/validate.ts'
import { isPlanFile } from '../format/plan-files.ts'
import { listOccurrences } from './file-occurrences.ts'
import type { Occurrence } from './occurrence.ts'

/** A manifest or an EPP template, parsed. */
export interface CodeFile {
  readonly path: string
  readonly source: Source
  /** Undefined if the text has a syntax error. */
  readonly program: Program | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly occurrences: readonly Occurrence[]
}

/** Parses and validates a file, a plan by the rules of plans. */
export function parseCodeFile(path: string, text: string): CodeFile {
  const source = { file: path, text }
  try {
    const tasks = isPlanFile(path)
    const { program, warnings } = parseSource(source, { epp: path.endsWith('.epp'), tasks })
    const diagnostics = [...warnings, ...validateProgram(program, { tasks })]
    return { path, source, program, diagnostics, occurrences: listOccurrences(program) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { path, source, program: undefined, diagnostics: [error.diagnostic], occurrences: [] }
  }
}
