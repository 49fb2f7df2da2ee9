import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toDiagnosticJson } from '../../base/json/diagnostic-json.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { isSummary } from '../../language/syntax/validation/validation-error.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { printDiagnostic } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import { atOption, loadCodeSettings, openModules, repoOption } from '../input/code-source.ts'
import { checkFilesExist, checkSource, readStandardInput, readStream } from '../input/manifest-files.ts'
import { renderCommand } from './epp-render.ts'
import { dumpOptions, dumpSyntaxTree, ensureFinalNewline } from './syntax-dump.ts'
import { findEppTemplate } from './template-file.ts'

const issues = defineIssues({
  EPP_ERRORS: { text: () => 'Errors while validating epp' },
})

const validateOptions = [
  repoOption,
  atOption,
  { flags: '--continue_on_error', doc: 'Continue after a template with errors.' },
  renderAs,
  { flags: '--no-continue_on_error', doc: 'Stop after the first template with errors.' },
] as const satisfies readonly Option[]

const dumpTemplateOptions = [
  ...dumpOptions,
  repoOption,
  atOption,
  { flags: '--no-header', doc: 'Omit the header that is printed before each template if several are given.' },
] as const satisfies readonly Option[]

/** The command `plumb epp`. */
export const eppCommand: CliCommand = {
  name: 'epp',
  summary: 'Validate, render and print EPP templates.',
  commands: [
    {
      name: 'validate',
      summary: 'Validate the syntax of templates.',
      description: `Validates templates, given as files, as 'module/template.epp' or on standard input. Stops at the first template with
errors. Exits with 0, or with 1 for errors.

  plumb epp validate ntp/ntp.conf.epp ./motd.epp`,
      usage: '[templates...]',
      options: validateOptions,
      run: validateTemplates,
    },
    {
      name: 'dump',
      summary: 'Print the syntax trees of templates.',
      description: `Prints syntax trees in the format 'old' (readable text), 'pn' (Puppet's extended S-expressions) or 'json' (pn as JSON).

  plumb epp dump --format pn ntp/ntp.conf.epp`,
      usage: '[templates...]',
      options: dumpTemplateOptions,
      run: dumpTemplates,
    },
    renderCommand,
  ],
}

async function validateTemplates(invocation: CommandInvocation<typeof validateOptions>): Promise<number> {
  const { args, options, io } = invocation
  const settings = loadCodeSettings(invocation, 'user')
  const { strict } = settings
  const goesOn = options.continue_on_error === true
  const isValidTemplate = (file: string, text: string): boolean => {
    const { said, error } = checkSource({ file, text }, { epp: true, strict })
    if (options.renderAs === 'json') {
      const all = error && !isSummary(error) ? [...said, error] : said
      if (all.length > 0) described[file] = { diagnostics: all.map(toDiagnosticJson) }
    } else for (const each of error ? [...said, error] : said) printDiagnostic(each, io)
    return error === undefined
  }
  const described: Record<string, Json> = {}
  let right = true
  const missing: string[] = []
  if (args.length === 0 && !(io.stdin as { isTTY?: boolean }).isTTY)
    right = isValidTemplate('<stdin>', await readStream(io.stdin))
  else if (args.length === 0) io.err('Notice: No template specified. No action taken\n')
  const code = await openModules(invocation, settings)
  for (const name of args) {
    if (!right && !goesOn) break
    const found = findEppTemplate(name, code)
    if (!found) missing.push(name)
    else right = isValidTemplate(found.file, found.text) && right
  }
  if (Object.keys(described).length > 0) io.out(`${JSON.stringify(described, undefined, 2)}\n`)
  checkFilesExist(missing)
  if (!right) throwIssue(issues.EPP_ERRORS, {})
  return 0
}

async function dumpTemplates(invocation: CommandInvocation<typeof dumpTemplateOptions>): Promise<number> {
  const { args, options, io } = invocation
  const validate = options.validate !== false
  const shown = { format: options.format, pretty: options.pretty === true, validate, epp: true }
  const dumpTemplate = (text: string, file: string, header?: string) =>
    dumpSyntaxTree({ file, text }, header, shown, io)
  if (options.e !== undefined) io.out(ensureFinalNewline(dumpTemplate(options.e, 'command-line-string')))
  else if (args.length > 0) {
    const code = await openModules(invocation, loadCodeSettings(invocation, 'user'))
    const found = args.map((name) => [name, findEppTemplate(name, code)] as const)
    const files = found.flatMap(([, file]) => file ?? [])
    const hasHeaders = files.length > 1 && options.header !== false
    const texts = files.map(({ file, text }) => dumpTemplate(text, file, hasHeaders ? `--- ${file}\n` : undefined))
    checkFilesExist(found.filter(([, file]) => file === undefined).map(([name]) => name))
    io.out(ensureFinalNewline(texts.join('')))
  } else {
    io.out(ensureFinalNewline(dumpTemplate(await readStandardInput(io), 'stdin')))
  }
  return 0
}
