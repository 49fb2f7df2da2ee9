import type { SourceSpan } from '../../base/source.ts'
import type { SemanticCheckName } from '../lint/checks/semantic-rules.ts'
import type { CheckedFile } from './checked-file.ts'
import type { CheckedCode } from './code/checked-code.ts'

/** Reports a problem at a place of the checked file. */
export type ReportProblem = (message: string, span: SourceSpan) => void

/** A semantic check of one file, which may be a manifest or an EPP template. */
export interface CodeCheck {
  readonly name: SemanticCheckName
  check(file: CheckedFile, code: CheckedCode, report: ReportProblem): void
}

/** A semantic check of one file of Hiera data; it yields between keys, of which a file may have thousands. */
export interface DataCheck {
  readonly name: SemanticCheckName
  check(path: string, text: string, code: CheckedCode, report: ReportProblem): Generator<void>
}
