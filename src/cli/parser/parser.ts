import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Diagnostic, formatDiagnosticLine } from '../../base/issue.ts'
import { toDiagnosticJson } from '../../base/json/diagnostic-json.ts'
import { getLineAndColumn, type Source } from '../../base/source.ts'
import { listManifests } from '../../code/environments/manifest-paths.ts'
import { isSummary } from '../../language/syntax/validation/validation-error.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { CliCommand, CommandInvocation, Io } from '../command/command.ts'
import { printDiagnostic, printMessage } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import { atOption, loadCodeSettings, openCode, repoOption } from '../input/code-source.ts'
import {
  checkFilesExist,
  checkSource,
  findModuleFilePath,
  readManifests,
  readStandardInput,
  readStream,
  type SourceCheck,
} from '../input/manifest-files.ts'
import { dumpOptions, dumpSyntaxTree, ensureFinalNewline } from './syntax-dump.ts'

const validateOptions = [
  renderAs,
  { flags: '--tasks', doc: 'Accept the syntax of plans.' },
  repoOption,
  atOption,
] as const satisfies readonly Option[]

/** The command `plumb parser`. */
export const parser: CliCommand = {
  name: 'parser',
  summary: 'Validate manifests and print their syntax trees.',
  commands: [
    {
      name: 'validate',
      summary: 'Validate the syntax of manifests.',
      description: `Validates manifests, or all manifests in directories, without compiling a catalog. Without arguments, validates standard
input; on a terminal or with --repo or --at, the main manifest of the environment. Exits with 0, or with 1 for errors.

  plumb parser validate init.pp vhost.pp
  plumb parser validate < init.pp`,
      usage: '[manifests...]',
      options: validateOptions,
      run: validateManifests,
    },
    {
      name: 'dump',
      summary: 'Print the syntax trees of manifests.',
      description: `Prints syntax trees in the format 'old' (readable text), 'pn' (Puppet's extended S-expressions) or 'json' (pn as JSON).

  plumb parser dump --format pn site.pp
  plumb parser dump --format json --pretty -e 'notice(1)'`,
      usage: '[manifests...]',
      options: dumpOptions,
      run: dumpManifests,
    },
  ],
}

async function validateManifests(invocation: CommandInvocation<typeof validateOptions>): Promise<number> {
  const { args, options, io } = invocation
  const settings = loadCodeSettings(invocation, 'user')
  const files = args.filter((file) => existsSync(file))
  const { environment, sources } =
    args.length === 0
      ? await openDefaultSources(invocation, settings)
      : { environment: settings.environment, sources: files.flatMap(readNamedSources) }
  const found = sources.map(([name, source]) => {
    const moduleFile = source.file && findModuleFilePath(source.file, settings)
    return { name, ...checkSource(source, { strict: settings.strict, tasks: options.tasks === true, moduleFile }) }
  })
  if (options.renderAs === 'json') printDiagnosticJson(found, environment, io)
  else printDiagnosticLines(found, environment, io)
  checkFilesExist(args)
  return found.some(({ error }) => error) ? 1 : 0
}

type NamedSource = readonly [name: string, source: Source]

/** Sources to validate, and the environment named in messages. */
interface Sources {
  readonly environment: string
  readonly sources: readonly NamedSource[]
}

function readNamedSources(file: string): NamedSource[] {
  return readManifests(file).map((source) => [source.file === resolve(file) ? file : source.file!, source])
}

/**
 * Opens the sources to validate if no file is given: standard input; on a terminal, or with
 * `--repo` or `--at`, the main manifest of the environment.
 */
async function openDefaultSources(
  invocation: CommandInvocation<typeof validateOptions>,
  settings: Settings,
): Promise<Sources> {
  const { options, io } = invocation
  const isNamed = options.repo !== undefined || options.at !== undefined
  if (!isNamed && !(io.stdin as { isTTY?: boolean }).isTTY)
    return {
      environment: settings.environment,
      sources: [['STDIN', { file: undefined, text: await readStream(io.stdin) }]],
    }
  const { name: environment, tree, manifest } = (await openCode(invocation, settings)).environment
  if (!manifest || !('path' in manifest)) return { environment, sources: [] }
  const { root } = tree
  io.err(`Notice: No manifest specified. Validating the default manifest ${root}/${manifest.path}\n`)
  const sources = listManifests(tree, manifest.path).map((path): NamedSource => {
    const file = `${root}/${path}`
    return [file, { file, text: tree.readText(path) ?? '' }]
  })
  return { environment, sources }
}

interface Found extends SourceCheck {
  readonly name: string
}

/** Prints the warnings of all files, then the error of each file, like Puppet. */
function printDiagnosticLines(found: readonly Found[], environment: string, io: Io): void {
  for (const { said } of found) for (const each of said) printDiagnostic(each, io)
  for (const { error } of found) {
    if (!error) continue
    printMessage('Error', isSummary(error) ? error.message : formatFullMessage(error, environment), io, error.hint)
  }
}

/**
 * Adds the location to an error message. Errors about definitions already contain it in their
 * message, and are not errors of the parser.
 */
function formatFullMessage(error: Diagnostic, environment: string): string {
  return error.span ? `Could not parse for environment ${environment}: ${formatDiagnosticLine(error)}` : error.message
}

/** Prints JSON by file: the fields that Puppet prints for its error, and all diagnostics. */
function printDiagnosticJson(found: readonly Found[], environment: string, io: Io): void {
  const described = found.flatMap(({ name, said, error }) => {
    if (!error) return said.length === 0 ? [] : [[name, { diagnostics: said.map(toDiagnosticJson) }]]
    const { span, wholeFile } = error
    const all = isSummary(error) ? said : [...said, error]
    const position = span && !wholeFile ? getLineAndColumn(span.source, span.start) : undefined
    const description = {
      issue_code: isSummary(error) ? null : error.code,
      message: error.message,
      full_message: formatFullMessage(error, environment),
      file: span?.source.file ?? null,
      line: position?.line ?? null,
      pos: position?.column ?? null,
      diagnostics: all.map(toDiagnosticJson),
    }
    return [[name, description]]
  })
  if (described.length > 0) io.out(`${JSON.stringify(Object.fromEntries(described), undefined, 2)}\n`)
}

async function dumpManifests({ args, options, io }: CommandInvocation<typeof dumpOptions>): Promise<number> {
  const validate = options.validate === true
  const shown = { format: options.format, pretty: options.pretty === true, validate, epp: false }
  const dumpManifest = (text: string, name: string, header?: string) =>
    dumpSyntaxTree({ file: validate ? name : undefined, text }, header, shown, io)
  if (options.e !== undefined) io.out(ensureFinalNewline(dumpManifest(options.e, 'command-line-string')))
  else if (args.length > 0) {
    const there = args.filter((file) => existsSync(file))
    const dumps = there.map((file) => dumpManifest(readFileSync(file, 'utf8'), file, `--- ${file}`)).join('')
    const missing = args.filter((file) => !there.includes(file)).map((file) => `   ${file}`)
    const note = missing.length > 0 ? `One or more file(s) specified did not exist:\n${missing.join('\n')}` : ''
    io.out(ensureFinalNewline(dumps + note))
  } else {
    io.out(ensureFinalNewline(dumpManifest(await readStandardInput(io), 'stdin')))
  }
  return 0
}
