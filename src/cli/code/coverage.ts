import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable, toPrintableJson } from '../../base/text/printable.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { compile } from '../../compiler/compile.ts'
import type { CodeItem } from '../../compiler/coverage/code-inventory.ts'
import { Coverage, type CoverageShare, type ModuleShare, type NodeUse } from '../../compiler/coverage/coverage.ts'
import { computeNodeUse } from '../../compiler/coverage/node-usage.ts'
import { readNodeUse } from '../../compiler/coverage/traced-usage.ts'
import { Reads } from '../../compiler/reads/compilation-reads.ts'
import { createRecallOptions } from '../../compiler/recall/recall-settings.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { ownRuby } from '../../ruby/worker-share.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { toRelativePath } from '../command/relative-path.ts'
import { version } from '../command/version.ts'
import {
  classOption,
  createProgressCounter,
  type FleetFailure,
  findFactsFile,
  fleetOptions,
  formatFailureLines,
  readFleet,
} from '../fleet/fleet.ts'
import { atOption, loadCodeSettings, openCode, repoOption } from '../input/code-source.ts'
import { buildCompileRequest } from '../input/compile-options.ts'
import { listKnownNodes } from '../input/environment-nodes.ts'
import { exportsOption, readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { classifyNode } from '../input/node-classification.ts'
import { readFactsFile, readStoredFacts } from '../input/node-facts.ts'
import { createCatalogQueries, inputsOption } from '../input/query-answers.ts'

const issues = defineIssues({
  COVERAGE_NO_NODES: {
    text: (_: object) => 'No nodes found',
    hint: () => 'Give node names with --nodes FILE, and their facts with --facts-dir DIRECTORY.',
  },
  COVERAGE_UNKNOWN_MODULE: {
    text: (a: { name: string; known: Iterable<string> }) => `Could not find module '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, a.known),
  },
})

const [nodesOption, factsDirOption] = fleetOptions

const coverageOptions = [
  nodesOption,
  factsDirOption,
  { flags: '--module <name>', doc: 'Report on this module only.' },
  exportsOption,
  inputsOption,
  classOption,
  repoOption,
  atOption,
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb code coverage`. */
export const codeCoverage: CliCommand = defineCommand({
  name: 'coverage',
  summary: 'List classes, templates, data and files that no node uses.',
  description: `Determines which parts of the code the catalogs of all nodes use: classes, defined types, functions, type aliases,
rendered templates, files that are read or used as sources, and data keys that are looked up. Prints the used share of
each module, and its unused items with their locations.

The nodes are those known to the server, or those in the file of --nodes. If the server has a trace of a node's catalog
for this code, reads the trace; otherwise compiles the catalog, with the facts stored on the server merged with those
of --facts-dir. Ruby code, and data in formats other than YAML and JSON, are not considered.

Exits with 0, or with 1 if a catalog does not compile; items that only this node uses are then listed as unused.

  plumb code coverage --repo control.git --at production
  plumb code coverage --nodes nodes.txt --facts-dir facts --repo control.git --module ntp
  plumb code coverage --render-as json`,
  options: coverageOptions,
  async run(invocation) {
    const { options, io } = invocation
    const settings = loadCodeSettings(invocation)
    const { environment } = await openCode(invocation, settings)
    const nodes = options.nodes === undefined ? await listKnownNodes(settings) : readFleet(options.nodes, options).nodes
    if (nodes.length === 0) throwIssue(issues.COVERAGE_NO_NODES, {})
    const { module } = options
    const coverage = new Coverage(environment, { strict: settings.strict, tasks: false })
    const known = coverage.shares().map((each) => each.module)
    if (module !== undefined && !known.includes(module))
      throwIssue(issues.COVERAGE_UNKNOWN_MODULE, { name: module, known })
    const found = await recordNodeUsage(nodes, coverage, environment, invocation, settings)
    const answer = { coverage, module, environment, nodes: nodes.length, ...found }
    io.out(options.renderAs === 'json' ? formatCoverageJson(answer) : formatCoverageText(answer))
    return found.failures.size === 0 ? 0 : 1
  },
})

/** Nodes whose catalogs failed to compile, and the number of nodes that needed no compilation. */
interface Noted {
  readonly failures: ReadonlyMap<string, FleetFailure>
  /** Number of nodes whose code usage was read from stored compile traces. */
  readonly fromTraces: number
}

async function recordNodeUsage(
  nodes: readonly string[],
  coverage: Coverage,
  environment: CompileEnvironment,
  { options, io }: CommandInvocation<typeof coverageOptions>,
  settings: Settings,
): Promise<Noted> {
  const exports = await readExportedResources({ options }, settings)
  const { requireAll: _, ...ways } = createCatalogQueries(options, settings)
  const traces = await createRecallOptions(settings, version, localFiles)
  const progress = createProgressCounter(nodes.length, io)
  const failures = new Map<string, FleetFailure>()
  let fromTraces = 0
  for (const node of nodes) {
    try {
      const classified = await classifyNode(node, options.class ?? [], settings)
      const file = findFactsFile(node, options.factsDir)
      const facts = { ...(await readStoredFacts(node, settings)), ...(file === undefined ? {} : readFactsFile(file)) }
      const request = {
        ...buildCompileRequest({ node, facts, classified }, environment, settings),
        ...toExportSearch(exports),
        ...ways,
      }
      const kept = traces && readNodeUse(traces, request)
      if (kept) fromTraces++
      coverage.note(kept ?? compileNodeUsage(request))
    } catch (error) {
      failures.set(node, {
        error: formatError(error),
        hint: (error instanceof PuppetError && error.diagnostic.hint) || null,
      })
    }
    progress.done(node)
  }
  progress.clear()
  for (const [node, failure] of failures)
    io.err(`${formatFailureLines(failure, `${node}: `).map(toPrintable).join('\n')}\n`)
  return { failures, fromTraces }
}

function compileNodeUsage(request: CompileRequest): NodeUse {
  const reads: [string, readonly string[]][] = []
  const watched = new Reads(request.environment, (kind, args) => reads.push([kind, args]))
  return computeNodeUse(compile(request, ownRuby, watched).catalog, reads)
}

interface Answer extends Noted {
  readonly coverage: Coverage
  readonly module: string | undefined
  readonly environment: CompileEnvironment
  readonly nodes: number
}

function formatCoverageJson({
  coverage,
  module,
  environment: { name, tree },
  nodes,
  failures,
  fromTraces,
}: Answer): string {
  const unused = coverage.unused(module).map(({ kind, name, module, file, line }) => {
    const path = toRelativePath(tree.root, file)
    return { kind, name, module: module === '' ? null : module, path, line: line ?? null }
  })
  const modules = coverage.shares(module).map((each) => ({ ...each, module: each.module === '' ? null : each.module }))
  const failed = [...failures].map(([node, failure]) => ({ node, ...failure }))
  const answer = {
    environment: name,
    code_id: tree.codeId ?? null,
    nodes,
    from_traces: fromTraces,
    failed,
    modules,
    unused,
  }
  return toPrintableJson(`${formatExactJson(answer, 2)}\n`)
}

function formatCoverageText({ coverage, module, environment, nodes, failures, fromTraces }: Answer): string {
  const lines = coverage
    .shares(module)
    .flatMap((share) => [
      formatModuleTitle(share),
      ...coverage.unused(share.module).map((item) => formatItem(item, environment.tree.root)),
    ])
  const all = coverage.shares(module)
  const total = { used: sumShares(all, 'used'), all: sumShares(all, 'all') }
  const failed = failures.size === 0 ? '' : `, ${failures.size} failed to compile`
  lines.push(
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'} (${fromTraces} from traces${failed}) ${nodes === 1 ? 'uses' : 'use'} ${formatShare(total)}`,
  )
  return `${lines.map(toPrintable).join('\n')}\n`
}

function formatModuleTitle({ module, kinds, ...share }: ModuleShare): string {
  const parts = Object.entries(kinds).map(([kind, { used, all }]) => `${kind} ${used}/${all}`)
  return `${module === '' ? 'environment' : module}: ${formatShare(share)} (${parts.join(', ')})`
}

function formatItem({ kind, name, file, line }: CodeItem, root: string): string {
  const path = toRelativePath(root, file)
  return `  ${kind} ${name}  ${line === undefined ? path : `${path}:${line}`}`
}

function formatShare({ used, all }: CoverageShare): string {
  return `${used} of ${all}, ${all === 0 ? 100 : Math.floor((used * 100) / all)} %`
}

function sumShares(shares: readonly CoverageShare[], which: keyof CoverageShare): number {
  return shares.reduce((total, each) => total + each[which], 0)
}
