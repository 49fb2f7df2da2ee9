import { defineIssues, fail } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { printable, printableJson } from '../../base/text/printable.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { openRepository } from '../../code/git/open-repository.ts'
import { type ExplainedParameter, type ExplainedResource, explainedCatalog } from '../../compiler/explain/explain.ts'
import type { Frame, Origin } from '../../compiler/explain/origin.ts'
import { fileName } from '../../model/indirector/file-name.ts'
import { defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { pathIn } from '../command/path-in.ts'
import { classOption } from '../fleet/fleet.ts'
import { classify } from '../input/classify.ts'
import { atOption, codeSettings, openCode, repoOption } from '../input/code-source.ts'
import { requestFor } from '../input/compile-options.ts'
import { exportsOption, knownExports, searching } from '../input/known-exports.ts'
import { asking, inputsOption } from '../input/known-inputs.ts'
import { factsOption, factsToCompile } from '../input/node-facts.ts'
import { printLogs } from './compile.ts'
import { type BlamedLines, blameLines, lineKey, placesIn } from './explained-lines.ts'

const issues = defineIssues({
  EXPLAIN_TOO_MANY_WORDS: {
    text: (_: object) => 'One resource is explained at a time, or one parameter of it',
    hint: () => "plumb catalog explain web1.example.com 'File[/etc/motd]' content",
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

/** `plumb catalog explain` */
export const catalogExplain = defineCommand({
  name: 'explain',
  summary: 'Tells where a resource of a catalog, and each of its values, came from.',
  description: `Compiles the node's catalog and prints of one resource the statements that led to it, from the inside out, and
of each parameter who set it, in which file and line: an attribute, a resource default, an override, a collector,
data, the default of a parameter. Below that stands, indented, what the value was made of, back to facts, trusted
data, levels of Hiera with file and key, templates, functions and the text of the code; and what an override
replaced. Lines of a Git repository are said with the commit that they came with, and its author. With the name of a
parameter after the resource it tells of that one, also of one that has the default of its type.

Sensitive values are not shown, nor the facts that they were made of. The exit status is 0, or 1 when there is no such
resource, or no catalog.

  plumb catalog explain web1.example.com 'File[/etc/motd]' --repo control.git
  plumb catalog explain web1.example.com 'Service[ntp]' ensure --repo control.git --at feature --facts web1.json
  plumb catalog explain web1.example.com 'Class[Ntp]' --render-as json`,
  usage: '<node> <what...>',
  options: explainOptions,
  async run(invocation) {
    const { options, args, io } = invocation
    const [name = '', resource = '', parameter, ...others] = args
    if (others.length > 0) fail(issues.EXPLAIN_TOO_MANY_WORDS, {})
    const node = fileName('catalog', name)
    const settings = codeSettings(invocation)
    const { environment } = await openCode(invocation, settings)
    const exports = await knownExports(invocation, settings)
    const classified = await classify(node, options.class ?? [], settings)
    const facts = await factsToCompile({ ...invocation, options: { ...options, node } }, settings)
    const { requireAll, ...ways } = asking(options, settings)
    const request = {
      ...requestFor({ node, facts, classified }, environment, settings),
      ...searching(exports),
      ...ways,
    }
    const catalog = explainedCatalog(request)
    requireAll()
    printLogs(catalog.logs, io)
    const explained = catalog.explain({ resource, parameter })
    const blamed = await blamedFor(explained, environment, settings.code_repo)
    io.out(
      options.renderAs === 'json'
        ? jsonOf(node, explained, environment, blamed)
        : textOf(explained, environment, blamed),
    )
    return 0
  },
})

async function blamedFor(
  { declared, collected, parameters }: ExplainedResource,
  { tree }: CompileEnvironment,
  repository: string,
): Promise<BlamedLines> {
  if (repository === '' || tree.codeId === undefined) return new Map()
  const source = await openRepository(repository)
  const all = [...declared, ...collected, ...parameters.flatMap(({ origins }) => origins)]
  return blameLines(source, tree, placesIn(all)).finally(() => source.close())
}

function jsonOf(
  node: string,
  { resource, virtual, declared, collected, parameters }: ExplainedResource,
  { name: environment, tree }: CompileEnvironment,
  blamed: BlamedLines,
): string {
  const data = (each: Origin | Frame): ExactJson => {
    const { kind, name, file = null, line = null, from } = each
    const commit = blamed.get(lineKey(each.file, each.line))
    const inside = 'within' in each ? { within: each.within ?? null } : {}
    const detail = 'detail' in each && each.detail !== undefined ? { detail: each.detail } : {}
    const written = commit ? { ...commit, time: timeOf(commit.time) } : null
    return { kind, name, file, line, ...inside, ...detail, commit: written, from: from.map(data) }
  }
  const answer = {
    ...{ node, environment, code_id: tree.codeId ?? null, resource, virtual },
    declared: declared.map(data),
    collected: collected.map(data),
    parameters: parameters.map(({ name, value, sensitive, origins }) => ({
      ...{ name, value, sensitive },
      origins: origins.map(data),
    })),
  }
  return printableJson(`${printJson(answer, 2)}\n`)
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Characters of a value that are shown. */
const maxShown = 100

function textOf(
  { resource, virtual, declared, collected, parameters }: ExplainedResource,
  { tree }: CompileEnvironment,
  blamed: BlamedLines,
): string {
  const lines: string[] = [virtual ? `${resource} (virtual: not in the catalog)` : resource]
  const say = (depth: number, text: string, each: Origin | Frame): void => {
    const from = each.from.filter((only) => !isSaidBy(only, each))
    const words = from.length === each.from.length ? text : `${text}, as the code says`
    lines.push(`${'  '.repeat(depth)}${[words, ...placeOf(each, tree.root, blamed)].join('  ')}`)
    for (const below of from) say(depth + 1, originText(below, tree.root), below)
  }
  for (const each of declared) say(1, frameText(each), each)
  for (const each of collected) say(1, frameText(each), each)
  for (const each of parameters) {
    lines.push(`  ${each.name} = ${shown(each)}`)
    for (const origin of each.origins) say(2, originText(origin, tree.root), origin)
  }
  return `${lines.map(printable).join('\n')}\n`
}

function shown({ value, sensitive }: ExplainedParameter): string {
  if (sensitive) return 'Sensitive [value redacted]'
  const text = value === null ? 'undef' : printJson(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function frameText({ kind, name, within }: Frame): string {
  const inside = within === undefined ? '' : ` in ${within}`
  switch (kind) {
    case 'declared':
      return `declared: ${name}${inside}`
    case 'inherited':
      return `inherited by ${name}`
    case 'classified':
      return `given by the classifier: ${name}`
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

/** True of the text of the code at the very place that is said anyway. */
function isSaidBy({ kind, file, line }: Origin, said: Origin | Frame): boolean {
  return kind === 'literal' && file === said.file && line === said.line
}

/** Origins whose name the parameter's line says already. */
const named: ReadonlySet<string> = new Set([
  ...['attribute', 'default of the expression', 'resource default', 'override', 'override by a collector'],
  ...['replaced', 'added to', 'parameter default', 'classification'],
])

function originText({ kind, name, detail }: Origin, root: string): string {
  const about = name === '' || named.has(kind) ? kind : `${kind} ${name}`
  return detail === undefined ? about : `${about} (${pathIn(root, detail)})`
}

/** File and line in the tree, and the commit. */
function placeOf({ file, line }: Origin | Frame, root: string, blamed: BlamedLines): string[] {
  if (file === undefined) return []
  const path = pathIn(root, file)
  const commit = blamed.get(lineKey(file, line))
  const place = line === undefined ? path : `${path}:${line}`
  return commit
    ? [place, `${commit.commit.slice(0, 12)} ${commit.author} ${timeOf(commit.time).slice(0, 10)}`]
    : [place]
}
