import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isHarmfulImpact } from '../../deploy/impact/faulty-nodes.ts'
import type { Impact } from '../../deploy/impact/impact-result.ts'
import { formatImpactHtml } from '../../deploy/impact/write/html.ts'
import { formatImpactJson } from '../../deploy/impact/write/json.ts'
import { formatImpactMarkdown } from '../../deploy/impact/write/markdown.ts'
import { formatImpactText } from '../../deploy/impact/write/text.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { detailedOption } from '../fleet/diff.ts'
import { createFleet, createProgressCounter, type Fleet, fleetOptions, readNodeNames } from '../fleet/fleet.ts'
import { computeFleetImpact } from '../fleet/impact.ts'
import { loadCodeSettings, repositoryOption } from '../input/code-source.ts'
import { filterByGlob, listKnownNodes } from '../input/environment-nodes.ts'
import { exportsOption, readExportedResources } from '../input/exported-resources.ts'
import { openCodeRange } from '../input/impact-range.ts'
import { inputsOption, openFleetQuerySources } from '../input/query-answers.ts'

const issues = defineIssues({
  NO_KNOWN_NODES: {
    text: (a: { environment: string; pattern: string | undefined }) =>
      `No nodes found in environment ${a.environment}${a.pattern === undefined ? '' : ` that match '${a.pattern}'`}`,
    hint: () =>
      'Nodes are read from the store, or from stored facts. Name others with --node or --node-list, and give their facts with --facts-dir.',
  },
  WRONG_TIME_LIMIT: { text: (a: { given: string }) => `--time-limit requires a number of seconds, not '${a.given}'` },
})

const [, factsDir, jobs] = fleetOptions

const options = [
  {
    flags: '--node <name>',
    doc: 'Node to compare; may be given several times. Default: all known nodes.',
    repeated: true,
  },
  { flags: '--nodes <pattern>', doc: "Pattern for the names of the nodes to compare, such as 'web*.example.com'." },
  {
    flags: '--node-list <file>',
    doc: 'File of the nodes to compare, with one node name on each line.',
  },
  factsDir,
  jobs,
  exportsOption,
  inputsOption,
  {
    flags: '--time-limit <seconds>',
    doc: 'Time in seconds after which no further compilation starts. The output lists the unchecked nodes.',
  },
  repositoryOption,
  {
    flags: '--render-as <format>',
    doc: 'Output format: text, json, markdown (for a merge request) or html.',
    choices: ['text', 'json', 'markdown', 'html', 'console', 's'],
    default: 'text',
  },
  detailedOption,
] as const satisfies readonly Option[]

/** The command `plumb code impact`. */
export const codeImpact = defineCommand({
  name: 'impact',
  summary: 'Print the effect of a code change on all nodes.',
  description: `Finds the nodes whose catalogs change between two commits, and groups the nodes by their changes: resources, parameters,
file contents, order and exported resources. The catalog of a node is not compiled if all files and data that its
compilation reads are unchanged.

OLD...NEW starts at the merge base of both commits; NEW alone starts at its merge base with the branch of the
environment. The nodes are those of the environment in the server's store, most recent contact first, with their last
facts. Text output is abbreviated unless --node is given; the other formats are complete. Facts and secrets are never
printed; a changed secret is reported without its value.

Also reports new faults of a catalog: violated policies, and sources that do not exist in a module.

Exits with 0, or with 1 if a catalog failed: it no longer compiles, or has a new fault of severity error. With
--detailed-exitcodes, exits with 2 for changes, 4 for failed catalogs, or 6 for both.

  plumb code impact production..feature
  plumb code impact feature --nodes 'web*' --render-as markdown
  plumb code impact HEAD~1..HEAD --node web1.example.com --repo control.git`,
  usage: '<old..new>',
  options,
  async run(invocation) {
    const settings = loadCodeSettings(invocation)
    const fleet = await selectFleet(invocation, settings)
    const impact = await computeImpact(invocation, fleet, settings)
    const { renderAs, node, detailedExitcodes } = invocation.options
    invocation.io.out(formatImpact(impact, renderAs, node !== undefined))
    const isBad = isHarmfulImpact(impact)
    if (detailedExitcodes) return (impact.counts.changed > 0 ? 2 : 0) + (isBad ? 4 : 0)
    return isBad ? 1 : 0
  },
})

type Asked = CommandInvocation<typeof options>

function formatImpact(impact: Impact, form: Asked['options']['renderAs'], isFull: boolean): string {
  if (form === 'json') return formatImpactJson(impact)
  if (form === 'markdown') return formatImpactMarkdown(impact)
  if (form === 'html') return formatImpactHtml(impact)
  return formatImpactText(impact, isFull ? 'full' : 'short')
}

/**
 * Selects the nodes by the options, otherwise the known nodes of the environment. Throws
 * NO_KNOWN_NODES.
 */
async function selectFleet({ options: given }: Asked, settings: Settings): Promise<Fleet> {
  const { node, nodes: pattern, nodeList } = given
  for (const each of node ?? []) checkFileName('catalog', each)
  const all = node ?? (nodeList === undefined ? await listKnownNodes(settings) : readNodeNames(nodeList))
  const names = pattern === undefined ? all : filterByGlob(all, pattern)
  if (names.length === 0) throwIssue(issues.NO_KNOWN_NODES, { environment: settings.environment, pattern })
  return createFleet(names, { ...given, class: [] })
}

async function computeImpact(invocation: Asked, fleet: Fleet, settings: Settings): Promise<Impact> {
  const { args, options: given, io } = invocation
  const budgetMs = parseTimeLimit(given.timeLimit)
  const exports = await readExportedResources(invocation, settings)
  const { from, to } = await openCodeRange(args[0] ?? '', settings, io)
  const asked = await openFleetQuerySources(given, settings, io)
  return computeFleetImpact(
    { from, to, fleet, budgetMs, progress: createProgressCounter(fleet.nodes.length, io) },
    { exports, asked, io },
    settings,
  )
}

/** Converts a time limit from seconds to milliseconds. Throws WRONG_TIME_LIMIT. */
function parseTimeLimit(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : throwIssue(issues.WRONG_TIME_LIMIT, { given: seconds })
}
