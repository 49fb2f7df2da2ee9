import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, defineIssues, fail, inOneLine } from '../base/issue.ts'
import { positionOf, type Source } from '../base/source.ts'
import { isSummary } from '../language/validation/validation-error.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import type { Command, Invocation, Io } from './command.ts'
import { check, manifestsIn, moduleFileOf, readAll, refuseMissing } from './language-files.ts'
import { asLines, dump, dumpOptions } from './syntax-dump.ts'

const issues = defineIssues({
  NO_INPUT: { text: () => 'No input to parse given on command line or stdin' },
})

/** `plumb parser` */
export const parser: Command = {
  name: 'parser',
  summary: 'Checks manifests, and shows their syntax trees.',
  commands: [
    {
      name: 'validate',
      summary: 'Checks the syntax of manifests.',
      description: `Checks manifests, or those in folders, without compiling a catalog. Without any, checks standard input, or, on a
terminal, the manifests of the environment. Exits with 0 when nothing is wrong, else with 1.

  plumb parser validate init.pp vhost.pp
  plumb parser validate < init.pp`,
      usage: '[manifests...]',
      options: [
        { flags: '--render-as <format>', doc: 'console or json', default: 'console' },
        { flags: '--tasks', doc: 'reads code of plans' },
      ],
      run: validateManifests,
    },
    {
      name: 'dump',
      summary: 'Shows the syntax trees of manifests.',
      description: `Shows syntax trees: 'old' is for eyes, 'pn' is Puppet's extended S-expression notation, 'json' the same in JSON.

  plumb parser dump --format pn site.pp
  plumb parser dump --format json --pretty -e 'notice(1)'`,
      usage: '[manifests...]',
      options: dumpOptions,
      run: dumpManifests,
    },
  ],
}

async function validateManifests({ args, options, settings: given, io }: Invocation): Promise<number> {
  const settings = loadSettings({ given })
  const errors: (readonly [file: string, error: Diagnostic])[] = []
  const files = args.filter((file) => existsSync(file))
  for (const [name, source] of await sourcesOf(args.length === 0, files, settings, io)) {
    const moduleFile = source.file && moduleFileOf(source.file, settings)
    const error = check(source, { strict: settings.strict, tasks: options.tasks === true, moduleFile }, io)
    if (error) errors.push([name, error])
  }
  if (options.renderAs === 'json') sayJson(errors, settings.environment, io)
  else for (const [, error] of errors) io.err(`Error: ${describe(error, settings.environment)}\n`)
  refuseMissing(args)
  return errors.length === 0 ? 0 : 1
}

async function sourcesOf(
  all: boolean,
  files: readonly string[],
  settings: Settings,
  io: Io,
): Promise<(readonly [name: string, source: Source])[]> {
  if (!all) return files.flatMap((file) => manifestsIn(file).map((source) => [file, source] as const))
  if (!(io.stdin as { isTTY?: boolean }).isTTY)
    return [['STDIN', { file: undefined, text: await readAll(io.stdin) }] as const]
  const manifests = join(settings.environmentpath[0]!, settings.environment, 'manifests')
  io.err(`Notice: No manifest specified. Validating the default manifest ${manifests}\n`)
  return existsSync(manifests) ? manifestsIn(manifests).map((source) => [manifests, source] as const) : []
}

function describe(error: Diagnostic, environment: string): string {
  if (isSummary(error)) return error.message
  return `Could not parse for environment ${environment}: ${inOneLine(error)}`
}

function sayJson(errors: readonly (readonly [string, Diagnostic])[], environment: string, io: Io): void {
  if (errors.length === 0) return
  const described = errors.map(([file, error]) => {
    const { span, wholeFile } = error
    const position = span && !wholeFile ? positionOf(span.source, span.start) : undefined
    return [
      file,
      {
        issue_code: isSummary(error) ? null : error.code,
        message: error.message,
        full_message: `Could not parse for environment ${environment}: ${inOneLine(error)}`,
        file: span?.source.file ?? null,
        line: position?.line ?? null,
        pos: position?.column ?? null,
      },
    ]
  })
  io.out(`${JSON.stringify(Object.fromEntries(described), undefined, 2)}\n`)
}

async function dumpManifests({ args, options, io }: Invocation): Promise<number> {
  const validate = options.validate === true
  const shown = { format: String(options.format), pretty: options.pretty === true, validate, epp: false }
  const show = (text: string, name: string, header?: string) =>
    dump({ file: validate ? name : undefined, text }, header, shown, io)
  if (typeof options.e === 'string') io.out(asLines(show(options.e, 'command-line-string')))
  else if (args.length > 0) {
    const there = args.filter((file) => existsSync(file))
    const dumps = there.map((file) => show(readFileSync(file, 'utf8'), file, `--- ${file}`)).join('')
    const missing = args.filter((file) => !there.includes(file)).map((file) => `   ${file}`)
    const note = missing.length > 0 ? `One or more file(s) specified did not exist:\n${missing.join('\n')}` : ''
    io.out(asLines(dumps + note))
  } else {
    if ((io.stdin as { isTTY?: boolean }).isTTY) fail(issues.NO_INPUT, {})
    io.out(asLines(show(await readAll(io.stdin), 'stdin')))
  }
  return 0
}
