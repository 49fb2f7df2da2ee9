import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PuppetError } from '../../src/base/issue.ts'
import type { ExactJson } from '../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../src/base/json/json-text.ts'
import type { CompileEnvironment } from '../../src/code/environments/compile-environment.ts'
import { openCommandLineCode, openEnvironmentDirectory } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { CatalogError } from '../../src/compiler/request/catalog-error.ts'
import type { CompileLog, CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { catalogToWire } from '../../src/model/catalog-wire.ts'
import type { ExportSearch } from '../../src/model/exported-resource.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { buildTrustedFacts } from '../../src/node/facts/trusted.ts'
import { ExportTable } from '../../src/store/exports/memory-exports.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'

/** A case: what it shows, its files, and what comes of them. See cases/README.md. */
export interface Case {
  readonly title: string
  /** Everything before the expectations, as it stands. */
  readonly given: string
  readonly files: ReadonlyMap<string, string>
  readonly expected: Outcome
}

/** What a compilation gives: a catalog or an error, and what was logged. */
export interface Outcome {
  readonly catalog: string
  readonly error: string
  readonly logs: string
}

export const casesDirectory = join(import.meta.dirname, 'cases')
const node = 'node.example.com'
const results = ['catalog', 'error', 'logs']

/** All cases, by the names of their files. */
export function readCases(): readonly (readonly [string, Case])[] {
  const names = readdirSync(casesDirectory).filter((name) => name.endsWith('.case'))
  return names.sort().map((name) => [name, parseCase(readFileSync(join(casesDirectory, name), 'utf8'))])
}

/** A case from the text of its file. */
export function parseCase(text: string): Case {
  const parts = text.split(/^-- (.+) --\n/m)
  const files = new Map<string, string>()
  const found: Record<string, string> = {}
  let given = parts[0]!
  for (let index = 1; index < parts.length; index += 2) {
    const [name, content] = [parts[index]!, parts[index + 1]!]
    if (results.includes(name)) found[name] = content.trimEnd()
    else {
      files.set(name, content)
      given += `-- ${name} --\n${content}`
    }
  }
  const { catalog = '', error = '', logs = '' } = found
  return { title: parts[0]!.trim(), given, files, expected: { catalog, error, logs } }
}

/** Rewrites the expectations of a case. */
export function writeCase(name: string, { given }: Case, outcome: Outcome): void {
  const parts = results.map((key) => [key, outcome[key as keyof Outcome]]).filter(([, text]) => text !== '')
  const text = parts.map(([key, content]) => `-- ${key} --\n${content}\n`).join('')
  writeFileSync(join(casesDirectory, name), `${given.trimEnd()}\n${text}`)
}

/** Does `work` with the files of a case in a folder of their own. */
export async function withFiles<Result>(
  { files }: Case,
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = join(scratchFolder('case'), 'production')
  mkdirSync(join(folder, 'modules'), { recursive: true })
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return await work(folder)
}

/** Compiles a case with our compiler. */
export function compileCase(each: Case): Promise<Outcome> {
  return withFiles(each, async (folder) => outcomeOf(each, folder, (await environmentOf(each, folder)).environment))
}

function outcomeOf(each: Case, folder: string, environment: CompileEnvironment): Outcome {
  const shown = (text: string) => text.replaceAll(folder, '')
  try {
    const { catalog, logs } = compile(requestFor(each, environment))
    const wire = catalogToWire(catalog, { richData: true })
    return { catalog: shown(canonical(wire)), error: '', logs: shown(logLines(logs)) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const logs = error instanceof CatalogError ? logLines(error.logs) : ''
    return { catalog: '', error: shown(error.message), logs: shown(logs) }
  }
}

/** Why a case cannot be compiled, with the hint, and what was logged; paths begin in its folder. */
export function refusalOf(
  each: Case,
): Promise<Pick<Outcome, 'error' | 'logs'> & { readonly hint: string | undefined }> {
  return withFiles(each, async (folder) => {
    const shown = (text: string) => text.replaceAll(folder, '')
    try {
      const { environment, warnings } = await environmentOf(each, folder)
      const { logs } = compile(requestFor(each, environment))
      const said = [...warnings.map((message) => `warning: ${message}`), logLines(logs)]
      return { error: '', hint: undefined, logs: shown(said.join('\n').trim()) }
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      const { hint } = error.diagnostic
      const logs = error instanceof CatalogError ? logLines(error.logs) : ''
      return { error: shown(error.message), hint: hint && shown(hint), logs: shown(logs) }
    }
  })
}

/** What real Puppet is asked for the same case. */
export function requestOfPuppet(each: Case, folder: string): ExactJson {
  const shared = { facts: factsOf(each), node, classes: [] }
  if (isEnvironment(each)) return { ...shared, environment: folder }
  return {
    ...shared,
    manifest: join(folder, 'site.pp'),
    modulepath: [join(folder, 'modules')],
    hiera: each.files.has('hiera.yaml') ? join(folder, 'hiera.yaml') : null,
    exporters: exportersOf(each)?.map((name) => ({ node: name, facts: factsOf(each) })) ?? null,
  }
}

/** The request to compile a case whose files are in a folder. */
export async function requestIn(each: Case, folder: string): Promise<CompileRequest> {
  return requestFor(each, (await environmentOf(each, folder)).environment)
}

function requestFor(each: Case, environment: CompileEnvironment): CompileRequest {
  const exporters = exportersOf(each)
  if (!exporters) return requestForNode(node, each, environment)
  const table = new ExportTable()
  const searchExports = (search: ExportSearch) => table.search(search)
  for (const name of exporters)
    table.replace(name, compile({ ...requestForNode(name, each, environment), searchExports }).exports)
  return { ...requestForNode(node, each, environment), searchExports }
}

/** Whether its files are a whole environment, and not a site.pp with modules. */
function isEnvironment({ files }: Case): boolean {
  return files.has('environment.conf')
}

async function environmentOf(
  each: Case,
  folder: string,
): Promise<{ readonly environment: CompileEnvironment; readonly warnings: readonly string[] }> {
  if (isEnvironment(each)) {
    const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
    return openEnvironmentDirectory({ directory: folder, name: 'production' }, settings)
  }
  const environment = openCommandLineCode({
    name: 'production',
    modulepath: [join(folder, 'modules')],
    manifest: { file: join(folder, 'site.pp') },
    hiera: each.files.has('hiera.yaml') ? join(folder, 'hiera.yaml') : undefined,
  })
  return { environment, warnings: [] }
}

function requestForNode(node: string, each: Case, environment: CompileEnvironment): CompileRequest {
  const trusted = buildTrustedFacts({ authenticated: 'local', certname: node })
  return plainRequest(environment, { node: createPlainNode(node, 'production'), facts: factsOf(each), trusted })
}

/** Nodes that are compiled before, whose exports may be collected: with storeconfigs. */
function exportersOf({ files }: Case): string[] | undefined {
  return files.get('exporters')?.trim().split('\n')
}

function factsOf({ files }: Case): Record<string, ExactJson> {
  return parseJson(files.get('facts.json') ?? '{"os": {"family": "Debian"}}') as Record<string, ExactJson>
}

/** A catalog in lines: resources with parameters and tags, what contains what, classes; all sorted. */
export function canonical(wire: CatalogWire): string {
  const resources = wire.resources as readonly Record<string, ExactJson>[]
  const edges = wire.edges as readonly { source: string; target: string }[]
  const lines = resources
    .filter(({ type, title }) => !(type === 'Stage' && title === 'main') && !(type === 'Class' && title === 'Settings'))
    .map(resourceLine)
  const contained = edges
    .filter(({ target }) => target !== 'Class[Settings]')
    .map(({ source, target }) => `${source} contains ${target}`)
  const classes = (wire.classes as readonly string[]).filter((name) => name !== 'settings')
  return [...lines.sort(), ...contained.sort(), `classes: ${[...classes].sort().join(' ')}`.trimEnd()].join('\n')
}

function resourceLine(resource: Record<string, ExactJson>): string {
  const { type, title, exported, kind, tags, parameters = {}, sensitive_parameters: secret = [] } = resource
  const marks = [exported ? ' exported' : '', (secret as string[]).length > 0 ? ` sensitive: ${secret}` : '']
  const values = Object.entries(parameters as Record<string, ExactJson>).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${type}[${title}] ${kind}${marks.join('')} ${formatExactJson(Object.fromEntries(values))} tags: ${[...(tags as string[])].sort().join(' ')}`
}

function logLines(logs: readonly CompileLog[]): string {
  return logs.map(({ level, message }) => `${level}: ${message}`).join('\n')
}
