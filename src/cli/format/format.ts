import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toDiagnosticJson } from '../../base/json/diagnostic-json.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { toPrintableLine } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { defaultLineWidth } from '../../workbench/format/format.ts'
import { formatPatch } from '../../workbench/format/patch.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printDiagnostic } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import { formatFiles } from './manifest-files.ts'
import { createFailure, type FormatResult, formatText, writeResult } from './manifest-formatting.ts'
import { findManifests, removeDuplicates } from './manifest-search.ts'

const issues = defineIssues({
  NOTHING_TO_FORMAT: {
    text: () => 'No manifest or directory given',
    hint: () => 'Run `plumb format .` for all manifests in this directory, or `plumb format --stdin`.',
  },
  INVALID_LINE_WIDTH: {
    text: (a: { width: string }) => `Invalid line width '${a.width}'`,
    hint: () => `Give a number of characters from ${minLineWidth} to ${maxLineWidth}.`,
  },
  TOO_MANY_INPUTS: { text: () => '--stdin accepts at most one path, which names the input in messages' },
  INPUT_TOO_LARGE: { text: (a: { most: number }) => `Standard input exceeds ${a.most} bytes` },
})

/** Limits of `--width`, in characters. */
const minLineWidth = 40
const maxLineWidth = 1000

const formatOptions = [
  { flags: '--check', doc: 'Print the files that are not formatted, and exit with 1 if there are any. Write nothing.' },
  { flags: '--diff', doc: 'Print the changes as a patch. Write nothing.' },
  { flags: '--stdin', doc: 'Format standard input and print the result. A path names the input in messages.' },
  {
    flags: '--width <characters>',
    doc: 'Maximum length of a line, as in the style guide.',
    default: String(defaultLineWidth),
  },
  renderAs,
] as const satisfies readonly Option[]

type FormatInvocation = CommandInvocation<typeof formatOptions>

/** The command `plumb format`. */
export const formatCommand = defineCommand({
  name: 'format',
  summary: 'Format manifests in the style of the Puppet style guide.',
  description: `Rewrites manifests, and all manifests (*.pp) in directories, in the style of the Puppet style guide. The syntax
tree and the comments stay the same: both are compared before a file is written, and a file with an error stays as it
is. In directories, ignores symbolic links, dependencies (vendor, node_modules, pkg, spec/fixtures) and names that
start with a dot. Exits with 0, or with 1 for errors, or with --check for files that are not formatted.

  plumb format .
  plumb format --check --diff manifests
  plumb format --stdin < init.pp`,
  usage: '[paths...]',
  options: formatOptions,
  run: runFormat,
})

async function runFormat(invocation: FormatInvocation): Promise<number> {
  const { args, options, io } = invocation
  const width = parseLineWidth(options.width)
  if (options.stdin) return formatStandardInput(invocation, width)
  if (args.length === 0) throwIssue(issues.NOTHING_TO_FORMAT, {})
  const { paths, failures } = searchManifests(args)
  const results: FormatResult[] = []
  for (const failure of failures) results.push(printResult(failure, invocation))
  const showProgress = (count: number) => {
    if (io.errTerminal)
      io.err(`\r\u001b[K${count < paths.length ? `Formatting ${count + 1} of ${paths.length} manifests` : ''}`)
  }
  let count = 0
  showProgress(count)
  for await (const formatted of formatFiles(paths, width)) {
    const result = isReadOnly(options) ? formatted : await writeResult(formatted)
    if (io.errTerminal) io.err('\r\u001b[K')
    results.push(printResult(result, invocation))
    showProgress(++count)
  }
  printSummary(results, invocation)
  return getExitCode(results, options)
}

function parseLineWidth(text: string): number {
  const width = Number(text)
  const isValid = Number.isInteger(width) && width >= minLineWidth && width <= maxLineWidth
  return isValid ? width : throwIssue(issues.INVALID_LINE_WIDTH, { width: text })
}

/** True if no file is written. */
function isReadOnly({ check, diff }: FormatInvocation['options']): boolean {
  return check === true || diff === true
}

function getExitCode(results: readonly FormatResult[], { check }: FormatInvocation['options']): number {
  return results.some(({ status }) => status === 'error' || (status === 'changed' && check)) ? 1 : 0
}

/** Finds the manifests of all paths. A path that cannot be read becomes a failure. */
function searchManifests(args: readonly string[]) {
  const failures: FormatResult[] = []
  const found = args.flatMap((path) => {
    try {
      return findManifests(path)
    } catch (error) {
      failures.push(createFailure(path, error))
      return []
    }
  })
  return { paths: removeDuplicates(found), failures }
}

// ---- Output

/** Prints a result as text, and returns it without the texts of the manifest. */
function printResult(result: FormatResult, { options, io }: FormatInvocation): FormatResult {
  const isJson = options.renderAs === 'json'
  if (result.status === 'error') {
    if (!isJson) printDiagnostic(result.diagnostic, io)
    return result
  }
  const { path, status, before, after } = result
  if (status === 'changed' && !isJson) {
    const name = toPrintableLine(path)
    if (options.diff) io.out(formatPatch(name, before, after))
    else io.out(options.check ? `${name}\n` : `Formatted ${name}\n`)
  }
  return { path, status, before: '', after: '' }
}

function printSummary(results: readonly FormatResult[], { options, io }: FormatInvocation): void {
  if (options.renderAs === 'json') {
    io.out(`${JSON.stringify(results.map(toResultJson), undefined, 2)}\n`)
    return
  }
  if (options.diff) return
  const changed = results.filter(({ status }) => status === 'changed').length
  const total = formatQuantity(results.length, 'manifest')
  if (!options.check) io.out(`${changed} of ${total} changed\n`)
  else if (changed > 0) io.err(`${changed} of ${total} not formatted; run \`plumb format\` to format them.\n`)
}

function toResultJson(result: FormatResult) {
  const { path: file, status } = result
  return result.status === 'error'
    ? { file, status, diagnostic: toDiagnosticJson(result.diagnostic) }
    : { file, status }
}

// ---- Standard input

/** Formats standard input to standard output. With an error, prints nothing, so that an editor keeps its text. */
async function formatStandardInput({ args, options, io }: FormatInvocation, width: number): Promise<number> {
  if (args.length > 1) throwIssue(issues.TOO_MANY_INPUTS, {})
  const result = formatText(args[0] ?? 'stdin', await readInput(io), width)
  if (options.renderAs === 'json') io.out(`${JSON.stringify([toResultJson(result)], undefined, 2)}\n`)
  else if (result.status === 'error') printDiagnostic(result.diagnostic, io)
  else if (options.diff)
    io.out(result.status === 'changed' ? formatPatch(toPrintableLine(result.path), result.before, result.after) : '')
  else if (!options.check) io.out(result.after)
  return getExitCode([result], options)
}

async function readInput({ stdin }: Io): Promise<string> {
  const most = budgets.format.manifest.bound
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > most) throwIssue(issues.INPUT_TOO_LARGE, { most })
    chunks.push(bytes)
  }
  return decodeLosslessUtf8(Buffer.concat(chunks))
}
