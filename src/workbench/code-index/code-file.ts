import { type Diagnostic, PuppetError } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import { parseSource } from '../../language/syntax/parser/parser.ts'
import type { Program } from '../../language/syntax/tree/nodes.ts'
import { validateProgram } from '../../language/syntax/validation/validate.ts'
import { isPlanFile } from '../format/plan-files.ts'
import { listOccurrences } from './file-occurrences.ts'
import type { Occurrence } from './occurrence.ts'
import { diskFiles, type WorkspaceFiles } from './workspace-files.ts'

/** A manifest or an EPP template, parsed. */
export interface CodeFile {
  readonly path: string
  /** True for a plan, in which `plan` and `apply` are keywords. */
  readonly isPlan: boolean
  readonly source: Source
  /** Undefined if the text has a syntax error. */
  readonly program: Program | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly occurrences: readonly Occurrence[]
}

/** Parses and validates a file, a plan by the rules of plans. */
export function parseCodeFile(path: string, text: string, files: WorkspaceFiles = diskFiles): CodeFile {
  const source = { file: path, text }
  const tasks = isPlanFile(path, files.exists)
  const file = { path, isPlan: tasks, source }
  try {
    const { program, warnings } = parseSource(source, { epp: path.endsWith('.epp'), tasks })
    const diagnostics = [...warnings, ...validateProgram(program, { tasks })]
    return { ...file, program, diagnostics, occurrences: listOccurrences(program) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { ...file, program: undefined, diagnostics: [error.diagnostic], occurrences: [] }
  }
}
