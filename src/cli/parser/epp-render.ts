import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import { runInTopScope } from '../../compiler/script-evaluation.ts'
import { evaluateNode } from '../../language/evaluator/evaluation.ts'
import { renderEpp } from '../../language/evaluator/render-epp.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import type { CallContext } from '../../language/host.ts'
import { parseAndValidate } from '../../language/syntax/validation/validate.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { parseYaml } from '../../language/values/yaml.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { printDiagnostic } from '../command/messages.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { atOption, loadCodeSettings, openModules, repoOption } from '../input/code-source.ts'
import { buildCompileRequest, emptyClassification } from '../input/compile-options.ts'
import { readStream } from '../input/manifest-files.ts'
import { nodeOption, readFactsFile } from '../input/node-facts.ts'
import { findEppTemplate } from './template-file.ts'

const issues = defineIssues({
  RENDER_ERRORS: { text: () => 'error while rendering epp' },
  NO_TEMPLATE: { text: () => 'No input to process given on command line or stdin' },
  VALUES_NO_HASH: { text: (a: { option: string }) => `--${a.option} must evaluate to a Hash or undef` },
})

const renderOptions = [
  { flags: '-e, --e <source>', doc: 'Render this template source instead of files.' },
  { flags: '--values <code>', doc: 'Puppet code that returns a hash of values; overrides --values_file.' },
  { flags: '--values_file <file>', doc: 'File with a hash of values, in Puppet code (.pp) or YAML (.yaml).' },
  { flags: '--facts <file>', doc: 'JSON or YAML file of facts.' },
  nodeOption,
  repoOption,
  atOption,
  { flags: '--no-header', doc: 'Omit the header that is printed before each template if several are given.' },
] as const satisfies readonly Option[]

/** The command `plumb epp render`. */
export const renderCommand = defineCommand({
  name: 'render',
  summary: 'Render templates and print the results.',
  description: `Prints the rendered templates. Templates are given as files, as 'module/template.epp', with -e or on standard input. The
code of --values returns a hash, or undef to give the template the variables that the code sets. Exits with 0, or with
1 if a template cannot be rendered.

  plumb epp render ntp/ntp.conf.epp --values '{servers => ["a", "b"]}' --facts facts.yaml
  plumb epp render -e 'hello <%= $name %>' --values '{name => "you"}'`,
  usage: '[templates...]',
  options: renderOptions,
  run: runEppRender,
})

async function runEppRender(invocation: CommandInvocation<typeof renderOptions>): Promise<number> {
  const { args, options, io } = invocation
  const settings = loadCodeSettings(invocation, 'user')
  const environment = await openModules(invocation, settings)
  const node = options.node ?? settings.certname
  const file = options.facts
  const facts = file === undefined ? {} : readFactsFile(file)
  const request = buildCompileRequest({ node, facts, classified: emptyClassification }, environment, settings)
  const inPlace = options.e ?? (args.length === 0 ? await readStandardInput(io.stdin) : undefined)
  if (inPlace !== undefined) {
    const source = { file: 'inlined-epp-text', text: inPlace }
    io.out(runInTopScope(request, (context) => renderSource('inline_epp', source, options, context)))
    return 0
  }
  const hasHeaders = args.length > 1 && options.header !== false
  let failed = false
  for (const [index, each] of args.entries()) {
    const header = hasHeaders ? `${index === 0 ? '' : '\n'}--- ${each}\n` : ''
    try {
      const found = findEppTemplate(each, environment) ?? throwIssue(functionIssues.MISSING_TEMPLATE, { name: each })
      const source = { file: resolve(found.file), text: found.text }
      io.out(header + runInTopScope(request, (context) => renderSource('epp', source, options, context)))
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      printDiagnostic(error.diagnostic, io)
      failed = true
    }
  }
  return failed ? throwIssue(issues.RENDER_ERRORS, {}) : 0
}

async function readStandardInput(stdin: NodeJS.ReadableStream): Promise<string> {
  return (stdin as { isTTY?: boolean }).isTTY ? throwIssue(issues.NO_TEMPLATE, {}) : readStream(stdin)
}

function renderSource(
  name: 'epp' | 'inline_epp',
  source: Source,
  options: OptionValues<typeof renderOptions>,
  context: CallContext,
): string {
  const parameters = parseTemplateParameters(options, context)
  const template = parseAndValidate(source, { epp: true }).program
  const value = renderEpp({ name, template, parameters, sees: name === 'epp' ? 'global' : 'caller' }, context)
  return toText(value instanceof Sensitive ? value.unwrap() : value)
}

/** Parameters of the template from the options; `undefined` if none are given. */
function parseTemplateParameters(options: OptionValues<typeof renderOptions>, context: CallContext): Hash | undefined {
  const file = options.values_file
  const code = options.values
  const fromFile = file === undefined ? undefined : checkHashValue(readValuesFile(file, context), 'values_file')
  const fromCode = code === undefined ? undefined : checkHashValue(evaluateCode(undefined, code, context), 'values')
  return fromFile && fromCode ? fromFile.merge(fromCode) : (fromCode ?? fromFile)
}

function readValuesFile(file: string, context: CallContext): Value {
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.pp') ? evaluateCode(resolve(file), text, context) : parseYaml(text)
}

function evaluateCode(file: string | undefined, text: string, { host, scope }: CallContext): Value {
  return evaluateNode(parseAndValidate({ file, text }).program, host, scope)
}

function checkHashValue(value: Value, option: string): Hash | undefined {
  if (value === undefined || value instanceof Hash) return value
  return throwIssue(issues.VALUES_NO_HASH, { option })
}
