import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toPrintable, toPrintableJson } from '../../base/text/printable.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import {
  type ExplainedParameter,
  type ExplainedResource,
  explainCatalog,
} from '../../compiler/explain/catalog-explanation.ts'
import type { ExplanationFrame, Origin } from '../../compiler/explain/origin.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { toRelativePath } from '../command/relative-path.ts'
import { classOption } from '../fleet/fleet.ts'
import { atOption, loadCodeSettings, openCode, repoOption } from '../input/code-source.ts'
import { buildCompileRequest } from '../input/compile-options.ts'
import { exportsOption, readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { classifyNode } from '../input/node-classification.ts'
import { factsOption, readCompileFacts } from '../input/node-facts.ts'
import { createCatalogQueries, inputsOption } from '../input/query-answers.ts'
import { printCompileLogs } from './compile.ts'
import { type BlamedLines, blameLines, getLineKey, listOriginLocations } from './line-blame.ts'

const issues = defineIssues({
  EXPLAIN_TOO_MANY_WORDS: {
    text: (_: object) => 'Too many arguments: give a node, one resource and at most one parameter',
    hint: () => "Example: plumb catalog explain web1.example.com 'File[/etc/motd]' content",
  },
})

const explainOptions = [
  factsOption,
  exportsOption,
  inputsOption,
  classOption,
  repoOption,
  atOption,
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb catalog explain`. */
export const catalogExplain = defineCommand({
  name: 'explain',
  summary: 'Print the origin of a resource and of its values.',
  description: `Compiles the catalog of the node, and prints the statements that declared the resource, innermost first. For each
parameter, prints its source with file and line: an attribute, a resource default, an override, a collector, data or
a parameter default. Indented below are the inputs of the value (facts, trusted data, levels of Hiera with file and
key, templates, functions and literals) and values that an override replaced. Lines in a Git repository are printed
with the commit and author that last changed them. With a parameter after the resource, explains only that parameter,
even if it has the default of its type.

Sensitive values are never printed, nor are facts that they were computed from. Exits with 0, or with 1 if the resource
does not exist or the catalog does not compile.

  plumb catalog explain web1.example.com 'File[/etc/motd]' --repo control.git
  plumb catalog explain web1.example.com 'Service[ntp]' ensure --repo control.git --at feature --facts web1.json
  plumb catalog explain web1.example.com 'Class[Ntp]' --render-as json`,
  usage: '<node> <what...>',
  options: explainOptions,
  async run(invocation) {
    const { options, args, io } = invocation
    const [name = '', resource = '', parameter, ...others] = args
    if (others.length > 0) throwIssue(issues.EXPLAIN_TOO_MANY_WORDS, {})
    const node = checkFileName('catalog', name)
    const settings = loadCodeSettings(invocation)
    const { environment } = await openCode(invocation, settings)
    const exports = await readExportedResources(invocation, settings)
    const classified = await classifyNode(node, options.class ?? [], settings)
    const facts = await readCompileFacts({ ...invocation, options: { ...options, node } }, settings)
    const { requireAll, ...ways } = createCatalogQueries(options, settings)
    const request = {
      ...buildCompileRequest({ node, facts, classified }, environment, settings),
      ...toExportSearch(exports),
      ...ways,
    }
    const catalog = explainCatalog(request)
    requireAll()
    printCompileLogs(catalog.logs, io)
    const explained = catalog.explain({ resource, parameter })
    const blamed = await blameResource(explained, environment, settings.code_repo)
    io.out(
      options.renderAs === 'json'
        ? formatExplanationJson(node, explained, environment, blamed)
        : formatExplanationText(explained, environment, blamed),
    )
    return 0
  },
})

async function blameResource(
  { declared, collected, parameters }: ExplainedResource,
  { tree }: CompileEnvironment,
  repository: string,
): Promise<BlamedLines> {
  if (repository === '' || tree.codeId === undefined) return new Map()
  const source = await openRepository(repository)
  const all = [...declared, ...collected, ...parameters.flatMap(({ origins }) => origins)]
  return blameLines(source, tree, listOriginLocations(all)).finally(() => source.close())
}

function formatExplanationJson(
  node: string,
  { resource, virtual, declared, collected, parameters }: ExplainedResource,
  { name: environment, tree }: CompileEnvironment,
  blamed: BlamedLines,
): string {
  const toJsonData = (each: Origin | ExplanationFrame): ExactJson => {
    const { kind, name, file = null, line = null, from } = each
    const commit = blamed.get(getLineKey(each.file, each.line))
    const inside = 'within' in each ? { within: each.within ?? null } : {}
    const detail = 'detail' in each && each.detail !== undefined ? { detail: each.detail } : {}
    const written = commit ? { ...commit, time: formatTime(commit.time) } : null
    return { kind, name, file, line, ...inside, ...detail, commit: written, from: from.map(toJsonData) }
  }
  const answer = {
    ...{ node, environment, code_id: tree.codeId ?? null, resource, virtual },
    declared: declared.map(toJsonData),
    collected: collected.map(toJsonData),
    parameters: parameters.map(({ name, value, sensitive, origins }) => ({
      ...{ name, value, sensitive },
      origins: origins.map(toJsonData),
    })),
  }
  return toPrintableJson(`${formatExactJson(answer, 2)}\n`)
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Maximum number of characters of a printed value. */
const maxShown = 100

function formatExplanationText(
  { resource, virtual, declared, collected, parameters }: ExplainedResource,
  { tree }: CompileEnvironment,
  blamed: BlamedLines,
): string {
  const lines: string[] = [virtual ? `${resource} (virtual: not in the catalog)` : resource]
  const addLine = (depth: number, text: string, each: Origin | ExplanationFrame): void => {
    const from = each.from.filter((only) => !isAlreadyPrinted(only, each))
    const words = from.length === each.from.length ? text : `${text}, literal`
    lines.push(`${'  '.repeat(depth)}${[words, ...formatPlace(each, tree.root, blamed)].join('  ')}`)
    for (const below of from) addLine(depth + 1, formatOrigin(below, tree.root), below)
  }
  for (const each of declared) addLine(1, formatFrame(each), each)
  for (const each of collected) addLine(1, formatFrame(each), each)
  for (const each of parameters) {
    lines.push(`  ${each.name} = ${formatValue(each)}`)
    for (const origin of each.origins) addLine(2, formatOrigin(origin, tree.root), origin)
  }
  return `${lines.map(toPrintable).join('\n')}\n`
}

function formatValue({ value, sensitive }: ExplainedParameter): string {
  if (sensitive) return 'Sensitive [value redacted]'
  const text = value === null ? 'undef' : formatExactJson(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function formatFrame({ kind, name, within }: ExplanationFrame): string {
  const inside = within === undefined ? '' : ` in ${within}`
  switch (kind) {
    case 'declared':
      return `declared: ${name}${inside}`
    case 'inherited':
      return `inherited by ${name}`
    case 'classified':
      return `declared by the classifier: ${name}`
    case 'exported':
      return `exported by ${name}`
    case 'collected':
      return `collected by ${name}${inside}`
    case 'condition':
      return `under '${name}'${inside}`
    case 'call':
      return `called from ${name}${inside}`
  }
}

/** True for a literal whose location is already printed. */
function isAlreadyPrinted({ kind, file, line }: Origin, said: Origin | ExplanationFrame): boolean {
  return kind === 'literal' && file === said.file && line === said.line
}

/** Kinds of origins whose name is already printed in the line of the parameter. */
const named: ReadonlySet<string> = new Set([
  ...['attribute', 'default of the expression', 'resource default', 'override', 'override by a collector'],
  ...['replaced', 'added to', 'parameter default', 'classification'],
])

function formatOrigin({ kind, name, detail }: Origin, root: string): string {
  const about = name === '' || named.has(kind) ? kind : `${kind} ${name}`
  return detail === undefined ? about : `${about} (${toRelativePath(root, detail)})`
}

/** Formats the file and line of an origin, and the commit that last changed the line. */
function formatPlace({ file, line }: Origin | ExplanationFrame, root: string, blamed: BlamedLines): string[] {
  if (file === undefined) return []
  const path = toRelativePath(root, file)
  const commit = blamed.get(getLineKey(file, line))
  const place = line === undefined ? path : `${path}:${line}`
  return commit
    ? [place, `${commit.commit.slice(0, 12)} ${commit.author} ${formatTime(commit.time).slice(0, 10)}`]
    : [place]
}
