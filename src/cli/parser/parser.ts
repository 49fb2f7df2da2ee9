import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Diagnostic, inOneLine } from '../../base/issue.ts'
import { diagnosticToJson } from '../../base/json/diagnostic-json.ts'
import { positionOf, type Source } from '../../base/source.ts'
import { manifestPaths } from '../../code/environments/manifest-paths.ts'
import { isSummary } from '../../language/syntax/validation/validation-error.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Command, Invocation, Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { say, sayDiagnostic } from '../command/say.ts'
import { atOption, codeSettings, openCode, repoOption } from '../input/code-source.ts'
import {
  type Checked,
  checked,
  manifestsIn,
  moduleFileOf,
  pipedText,
  readAll,
  refuseMissing,
} from '../input/language-files.ts'
import { asLines, dump, dumpOptions } from './syntax-dump.ts'

const validateOptions = [
  renderAs,
  { flags: '--tasks', doc: 'Accept the syntax of plans.' },
  repoOption,
  atOption,
] as const satisfies readonly Option[]

/** `plumb parser` */
export const parser: Command = {
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

async function validateManifests(invocation: Invocation<typeof validateOptions>): Promise<number> {
  const { args, options, io } = invocation
  const settings = codeSettings(invocation, 'user')
  const files = args.filter((file) => existsSync(file))
  const { environment, sources } =
    args.length === 0
      ? await defaultSources(invocation, settings)
      : { environment: settings.environment, sources: files.flatMap(namedSources) }
  const found = sources.map(([name, source]) => {
    const moduleFile = source.file && moduleFileOf(source.file, settings)
    return { name, ...checked(source, { strict: settings.strict, tasks: options.tasks === true, moduleFile }) }
  })
  if (options.renderAs === 'json') sayJson(found, environment, io)
  else sayLines(found, environment, io)
  refuseMissing(args)
  return found.some(({ error }) => error) ? 1 : 0
}

type NamedSource = readonly [name: string, source: Source]

/** Sources to validate, and the environment named in messages. */
interface Sources {
  readonly environment: string
  readonly sources: readonly NamedSource[]
}

function namedSources(file: string): NamedSource[] {
  return manifestsIn(file).map((source) => [source.file === resolve(file) ? file : source.file!, source])
}

/** Standard input; on a terminal, or with `--repo` or `--at`, the main manifest of the environment. */
async function defaultSources(invocation: Invocation<typeof validateOptions>, settings: Settings): Promise<Sources> {
  const { options, io } = invocation
  const isNamed = options.repo !== undefined || options.at !== undefined
  if (!isNamed && !(io.stdin as { isTTY?: boolean }).isTTY)
    return {
      environment: settings.environment,
      sources: [['STDIN', { file: undefined, text: await readAll(io.stdin) }]],
    }
  const { name: environment, tree, manifest } = (await openCode(invocation, settings)).environment
  if (!manifest || !('path' in manifest)) return { environment, sources: [] }
  const { root } = tree
  io.err(`Notice: No manifest specified. Validating the default manifest ${root}/${manifest.path}\n`)
  const sources = manifestPaths(tree, manifest.path).map((path): NamedSource => {
    const file = `${root}/${path}`
    return [file, { file, text: tree.readText(path) ?? '' }]
  })
  return { environment, sources }
}

interface Found extends Checked {
  readonly name: string
}

/** Prints the warnings of all files, then the error of each file, like Puppet. */
function sayLines(found: readonly Found[], environment: string, io: Io): void {
  for (const { said } of found) for (const each of said) sayDiagnostic(each, io)
  for (const { error } of found) {
    if (!error) continue
    say('Error', isSummary(error) ? error.message : fullMessage(error, environment), io, error.hint)
  }
}

/** The message with its location. Errors of definitions already contain it, and are not errors of the parser. */
function fullMessage(error: Diagnostic, environment: string): string {
  return error.span ? `Could not parse for environment ${environment}: ${inOneLine(error)}` : error.message
}

/** Prints JSON by file: the fields that Puppet prints for its error, and all diagnostics. */
function sayJson(found: readonly Found[], environment: string, io: Io): void {
  const described = found.flatMap(({ name, said, error }) => {
    if (!error) return said.length === 0 ? [] : [[name, { diagnostics: said.map(diagnosticToJson) }]]
    const { span, wholeFile } = error
    const all = isSummary(error) ? said : [...said, error]
    const position = span && !wholeFile ? positionOf(span.source, span.start) : undefined
    const description = {
      issue_code: isSummary(error) ? null : error.code,
      message: error.message,
      full_message: fullMessage(error, environment),
      file: span?.source.file ?? null,
      line: position?.line ?? null,
      pos: position?.column ?? null,
      diagnostics: all.map(diagnosticToJson),
    }
    return [[name, description]]
  })
  if (described.length > 0) io.out(`${JSON.stringify(Object.fromEntries(described), undefined, 2)}\n`)
}

async function dumpManifests({ args, options, io }: Invocation<typeof dumpOptions>): Promise<number> {
  const validate = options.validate === true
  const shown = { format: options.format, pretty: options.pretty === true, validate, epp: false }
  const show = (text: string, name: string, header?: string) =>
    dump({ file: validate ? name : undefined, text }, header, shown, io)
  if (options.e !== undefined) io.out(asLines(show(options.e, 'command-line-string')))
  else if (args.length > 0) {
    const there = args.filter((file) => existsSync(file))
    const dumps = there.map((file) => show(readFileSync(file, 'utf8'), file, `--- ${file}`)).join('')
    const missing = args.filter((file) => !there.includes(file)).map((file) => `   ${file}`)
    const note = missing.length > 0 ? `One or more file(s) specified did not exist:\n${missing.join('\n')}` : ''
    io.out(asLines(dumps + note))
  } else {
    io.out(asLines(show(await pipedText(io), 'stdin')))
  }
  return 0
}
