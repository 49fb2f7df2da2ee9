import { defineIssues, fail } from '../../base/issue.ts'
import { diagnosticToJson } from '../../base/json/diagnostic-json.ts'
import type { Json } from '../../base/json/wire.ts'
import { isSummary } from '../../language/syntax/validation/validation-error.ts'
import type { Command, Invocation } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { sayDiagnostic } from '../command/say.ts'
import { atOption, codeSettings, openModules, repoOption } from '../input/code-source.ts'
import { checked, pipedText, readAll, refuseMissing } from '../input/language-files.ts'
import { renderCommand } from './epp-render.ts'
import { asLines, dump, dumpOptions } from './syntax-dump.ts'
import { findTemplate } from './template-file.ts'

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
  { flags: '--no-header', doc: 'Omit the header before each of several templates.' },
] as const satisfies readonly Option[]

/** `plumb epp` */
export const epp: Command = {
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

async function validateTemplates(invocation: Invocation<typeof validateOptions>): Promise<number> {
  const { args, options, io } = invocation
  const settings = codeSettings(invocation, 'user')
  const { strict } = settings
  const goesOn = options.continue_on_error === true
  const isRight = (file: string, text: string): boolean => {
    const { said, error } = checked({ file, text }, { epp: true, strict })
    if (options.renderAs === 'json') {
      const all = error && !isSummary(error) ? [...said, error] : said
      if (all.length > 0) described[file] = { diagnostics: all.map(diagnosticToJson) }
    } else for (const each of error ? [...said, error] : said) sayDiagnostic(each, io)
    return error === undefined
  }
  const described: Record<string, Json> = {}
  let right = true
  const missing: string[] = []
  if (args.length === 0 && !(io.stdin as { isTTY?: boolean }).isTTY) right = isRight('<stdin>', await readAll(io.stdin))
  else if (args.length === 0) io.err('Notice: No template specified. No action taken\n')
  const code = await openModules(invocation, settings)
  for (const name of args) {
    if (!right && !goesOn) break
    const found = findTemplate(name, code)
    if (!found) missing.push(name)
    else right = isRight(found.file, found.text) && right
  }
  if (Object.keys(described).length > 0) io.out(`${JSON.stringify(described, undefined, 2)}\n`)
  refuseMissing(missing)
  if (!right) fail(issues.EPP_ERRORS, {})
  return 0
}

async function dumpTemplates(invocation: Invocation<typeof dumpTemplateOptions>): Promise<number> {
  const { args, options, io } = invocation
  const validate = options.validate !== false
  const shown = { format: options.format, pretty: options.pretty === true, validate, epp: true }
  const show = (text: string, file: string, header?: string) => dump({ file, text }, header, shown, io)
  if (options.e !== undefined) io.out(asLines(show(options.e, 'command-line-string')))
  else if (args.length > 0) {
    const code = await openModules(invocation, codeSettings(invocation, 'user'))
    const found = args.map((name) => [name, findTemplate(name, code)] as const)
    const files = found.flatMap(([, file]) => file ?? [])
    const hasHeaders = files.length > 1 && options.header !== false
    const texts = files.map(({ file, text }) => show(text, file, hasHeaders ? `--- ${file}\n` : undefined))
    refuseMissing(found.filter(([, file]) => file === undefined).map(([name]) => name))
    io.out(asLines(texts.join('')))
  } else {
    io.out(asLines(show(await pipedText(io), 'stdin')))
  }
  return 0
}
