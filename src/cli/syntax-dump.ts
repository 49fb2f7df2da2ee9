import { defineIssues, fail, inOneLine, PuppetError } from '../base/issue.ts'
import { printJson } from '../base/json-text.ts'
import type { Source } from '../base/source.ts'
import { oldDump } from '../language/ast/old-dump.ts'
import { toPn } from '../language/ast/pn.ts'
import { formatPn, pnToJson } from '../language/ast/pn-text.ts'
import { parse } from '../language/parser/parser.ts'
import { parseAndValidate } from '../language/validation/validate.ts'
import type { Io, Option } from './command.ts'

const issues = defineIssues({
  UNKNOWN_FORMAT: {
    text: (a: { format: string }) => `Unknown format '${a.format}'`,
    hint: () => "Formats are 'old', 'pn' and 'json'.",
  },
})

/** How a tree is shown. */
export interface DumpOptions {
  readonly format: string
  readonly pretty: boolean
  readonly validate: boolean
  readonly epp: boolean
}

/** What `dump` takes, for manifests and templates alike. */
export const dumpOptions: readonly Option[] = [
  { flags: '-e, --e <source>', doc: 'code given on the command line, in place of files' },
  { flags: '--validate', doc: 'also checks what the syntax cannot' },
  { flags: '--no-validate', doc: 'reports syntax errors only' },
  { flags: '--format <format>', doc: 'old, pn or json', default: 'old' },
  { flags: '--pretty', doc: 'breaks and indents lines, in pn and json' },
]

/** The tree of a source as text; an error is said, and the text empty. */
export function dump(source: Source, header: string | undefined, options: DumpOptions, io: Io): string {
  const { epp, format, pretty } = options
  if (!['old', 'pn', 'json'].includes(format)) fail(issues.UNKNOWN_FORMAT, { format })
  try {
    const { program } = options.validate ? parseAndValidate(source, { epp }) : parse(source, { epp })
    // As in Puppet, JSON has no headers.
    if (format === 'json') return printJson(pnToJson(toPn(program)), pretty ? 2 : 0)
    return (header ?? '') + (format === 'old' ? `${oldDump(program)}\n` : formatPn(toPn(program), pretty))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    if (header !== undefined) io.err(`Error: ${header.trimEnd()}\n`)
    io.err(`Error: ${inOneLine(error.diagnostic)}\n`)
    return ''
  }
}

/** Ends the last line. */
export function asLines(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
