import { attachErrorSpan, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import { lex } from '../../language/syntax/lexer/lex.ts'
import { parseSource } from '../../language/syntax/parser/parser.ts'
import type { AnyNode } from '../../language/syntax/tree/nodes.ts'
import { formatIssues } from './issues.ts'
import { renderDocument } from './layout/render.ts'
import { readPieces } from './pieces/pieces.ts'
import { callRules } from './rules/calls.ts'
import { FormatContext, type Rules } from './rules/context.ts'
import { controlRules } from './rules/control.ts'
import { definitionRules } from './rules/definitions.ts'
import { operatorRules } from './rules/operators.ts'
import { resourceRules } from './rules/resources.ts'
import { templateRules } from './rules/templates.ts'
import { valueRules } from './rules/values.ts'
import { type ReadManifest, verifySameCode } from './verify.ts'

/** Maximum length of a line, as in the style guide; longer only where a token cannot be broken. */
export const defaultLineWidth = 140

/** Options of the formatter. */
export interface FormatOptions {
  /** Maximum length of a line in characters. */
  readonly width?: number
  /** True if `plan` and `apply` are keywords, as in the plans of a module. */
  readonly tasks?: boolean
}

const rules: Rules<AnyNode['kind']> = {
  ...valueRules,
  ...operatorRules,
  ...controlRules,
  ...callRules,
  ...resourceRules,
  ...definitionRules,
  ...templateRules,
}

/** Formatting a manifest again settles comments that moved to another line; a manifest needs at most this many passes. */
const maxPasses = 4

/**
 * Formats a manifest. Throws the syntax error of the manifest, or an error if the result would have another syntax
 * tree or other comments, or would change when it is formatted again.
 */
export function formatManifest(source: Source, options: FormatOptions = {}): string {
  try {
    return attachErrorSpan(spanOfFile(source), () => formatUntilStable(source, options))
  } catch (error) {
    if (error instanceof RangeError) throwIssue(formatIssues.FORMAT_NESTED_TOO_DEEPLY, {}, spanOfFile(source))
    throw error
  }
}

function formatUntilStable(source: Source, options: FormatOptions): string {
  const before = readManifest(source, options)
  let current = before
  for (let pass = 0; pass < maxPasses; pass++) {
    const text = printManifest(current, options)
    if (text === current.source.text) {
      if (current !== before) verifySameCode(before, current)
      return text
    }
    current = readFormatted(before, text, options)
  }
  throwIssue(formatIssues.FORMAT_UNSTABLE, {}, spanOfFile(source))
}

function spanOfFile(source: Source) {
  return { source, start: 0, end: 0 }
}

function readManifest(source: Source, { tasks = false }: FormatOptions): ReadManifest {
  const { program } = parseSource(source, { tasks })
  return { source, program, pieces: readPieces(source, lex(source, { tasks }).tokens) }
}

/** Reads a formatted manifest; a syntax error in it is a bug of the formatter. */
function readFormatted(before: ReadManifest, text: string, options: FormatOptions): ReadManifest {
  try {
    return readManifest({ file: before.source.file, text }, options)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return throwIssue(formatIssues.FORMAT_CHANGES_TREE, { kind: error.message }, before.program.span)
  }
}

function printManifest({ source, program, pieces }: ReadManifest, { width = defaultLineWidth }: FormatOptions): string {
  const context = new FormatContext(source, pieces, rules)
  return renderDocument(context.print(program), width)
}
