import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import type { Source } from '../../base/source.ts'
import { parseSource } from '../../language/syntax/parser/parser.ts'
import { formatDump } from '../../language/syntax/tree/default-dump.ts'
import { toPn } from '../../language/syntax/tree/pn.ts'
import { convertPnToJson, formatPn } from '../../language/syntax/tree/pn-text.ts'
import { parseAndValidate } from '../../language/syntax/validation/validate.ts'
import type { Io } from '../command/command.ts'
import { printDiagnostic, printMessage } from '../command/messages.ts'
import type { Option } from '../command/options.ts'

const issues = defineIssues({
  UNKNOWN_FORMAT: {
    text: (a: { format: string }) => `Unknown format '${a.format}'`,
    hint: () => "Valid formats: 'old', 'pn' and 'json'.",
  },
})

/** Format of a printed syntax tree. */
export interface DumpOptions {
  readonly format: string
  readonly pretty: boolean
  readonly validate: boolean
  readonly epp: boolean
}

/** Options of `plumb parser dump` and `plumb epp dump`. */
export const dumpOptions = [
  { flags: '-e, --e <source>', doc: 'Parse this source instead of files.' },
  { flags: '--validate', doc: 'Report semantic errors in addition to syntax errors.' },
  { flags: '--no-validate', doc: 'Report syntax errors only.' },
  { flags: '--format <format>', doc: 'Output format: old, pn or json.', default: 'old' },
  { flags: '--pretty', doc: 'Print the formats pn and json on several indented lines.' },
] as const satisfies readonly Option[]

/** The syntax tree of a source as text. Prints syntax errors, and then returns an empty text. */
export function dumpSyntaxTree(source: Source, header: string | undefined, options: DumpOptions, io: Io): string {
  const { epp, format, pretty } = options
  if (!['old', 'pn', 'json'].includes(format)) throwIssue(issues.UNKNOWN_FORMAT, { format })
  try {
    const { program } = options.validate ? parseAndValidate(source, { epp }) : parseSource(source, { epp })
    // As in Puppet, JSON has no headers.
    if (format === 'json') return formatExactJson(convertPnToJson(toPn(program)), pretty ? 2 : 0)
    return (header ?? '') + (format === 'old' ? `${formatDump(program)}\n` : formatPn(toPn(program), pretty))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    if (header !== undefined) printMessage('Error', header.trimEnd(), io)
    printDiagnostic(error.diagnostic, io)
    return ''
  }
}

/** Adds a final line break if the text has none. */
export function ensureFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
