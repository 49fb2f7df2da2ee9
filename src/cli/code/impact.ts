import { defineIssues, fail } from '../../base/issue.ts'
import { isHarmful } from '../../deploy/impact/faulty-nodes.ts'
import type { Impact } from '../../deploy/impact/result.ts'
import { impactHtml } from '../../deploy/impact/write/html.ts'
import { impactJson } from '../../deploy/impact/write/json.ts'
import { impactMarkdown } from '../../deploy/impact/write/markdown.ts'
import { impactText } from '../../deploy/impact/write/text.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { fileName } from '../../model/indirector/file-name.ts'
import { defineCommand, type Invocation } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { detailedOption } from '../fleet/diff.ts'
import { type Fleet, fleetOf, fleetOptions, progressOf, readNodes } from '../fleet/fleet.ts'
import { fleetImpact } from '../fleet/impact.ts'
import { codeSettings, repositoryOption } from '../input/code-source.ts'
import { openRange } from '../input/impact-codes.ts'
import { exportsOption, knownExports } from '../input/known-exports.ts'
import { askedByMany, inputsOption } from '../input/known-inputs.ts'
import { knownNodes, matching } from '../input/known-nodes.ts'

const issues = defineIssues({
  NO_KNOWN_NODES: {
    text: (a: { environment: string; pattern: string | undefined }) =>
      `No node of environment ${a.environment} is known${a.pattern === undefined ? '' : ` by a name like '${a.pattern}'`}`,
    hint: () =>
      'Nodes are those of the store, or those that facts are kept of; name others with --node or --node-list, and their facts with --facts-dir.',
  },
  WRONG_TIME_LIMIT: { text: (a: { given: string }) => `--time-limit takes a number of seconds, not '${a.given}'` },
})

const [, factsDir, jobs] = fleetOptions

const options = [
  { flags: '--node <name>', doc: 'A node; all that are known by default.', repeated: true },
  { flags: '--nodes <pattern>', doc: "The nodes with such names, as in 'web*.example.com'." },
  {
    flags: '--node-list <file>',
    doc: 'A file with the name of a node in each line, in place of those that are known.',
  },
  factsDir,
  jobs,
  exportsOption,
  inputsOption,
  { flags: '--time-limit <seconds>', doc: 'Begin no other node after so long, and say which were not checked.' },
  repositoryOption,
  {
    flags: '--render-as <format>',
    doc: 'text for people, json for programs, markdown for a merge request, or html: a page.',
    choices: ['text', 'json', 'markdown', 'html', 'console', 's'],
    default: 'text',
  },
  detailedOption,
] as const satisfies readonly Option[]

/** `plumb code impact` */
export const codeImpact = defineCommand({
  name: 'impact',
  summary: 'Shows what a change of code does to all nodes.',
  description: `Finds the nodes whose catalogs change between two commits, and groups them by what changes in them: resources,
parameters, contents of files, order, and what nodes export for others. A node for which nothing has changed that
its compilation reads is not compiled.

OLD...NEW begins at the commit where NEW branched from OLD, and NEW alone where it branched from the branch of the
environment. Nodes are those that the server's store knows in the environment, those heard of last first, with their
last facts. Text is short unless nodes are named with --node; the other forms have all of it. Facts are never
shown, nor are secrets: of those it is said that they change.

A fault that a catalog did not have before is told, too: a rule of the environment's policies that it breaks, or a
source in a module that is not there.

The exit status is 0, or 1 when a node that had a catalog has none any more, or has one with a new fault that is an
error. With --detailed-exitcodes it is 2 when something changes, 4 when a node is harmed so, and 6 for both.

  plumb code impact production..feature
  plumb code impact feature --nodes 'web*' --render-as markdown
  plumb code impact HEAD~1..HEAD --node web1.example.com --repo control.git`,
  usage: '<old..new>',
  options,
  async run(invocation) {
    const settings = codeSettings(invocation)
    const fleet = await fleetIn(invocation, settings)
    const impact = await impactIn(invocation, fleet, settings)
    const { renderAs, node, detailedExitcodes } = invocation.options
    invocation.io.out(rendered(impact, renderAs, node !== undefined))
    const isBad = isHarmful(impact)
    if (detailedExitcodes) return (impact.counts.changed > 0 ? 2 : 0) + (isBad ? 4 : 0)
    return isBad ? 1 : 0
  },
})

type Asked = Invocation<typeof options>

function rendered(impact: Impact, form: Asked['options']['renderAs'], isFull: boolean): string {
  if (form === 'json') return impactJson(impact)
  if (form === 'markdown') return impactMarkdown(impact)
  if (form === 'html') return impactHtml(impact)
  return impactText(impact, isFull ? 'full' : 'short')
}

/** Throws NO_KNOWN_NODES. */
async function fleetIn({ options: given }: Asked, settings: Settings): Promise<Fleet> {
  const { node, nodes: pattern, nodeList } = given
  for (const each of node ?? []) fileName('catalog', each)
  const all = node ?? (nodeList === undefined ? await knownNodes(settings) : readNodes(nodeList))
  const names = pattern === undefined ? all : matching(all, pattern)
  if (names.length === 0) fail(issues.NO_KNOWN_NODES, { environment: settings.environment, pattern })
  return fleetOf(names, { ...given, class: [] })
}

async function impactIn(invocation: Asked, fleet: Fleet, settings: Settings): Promise<Impact> {
  const { args, options: given, io } = invocation
  const budgetMs = millisecondsIn(given.timeLimit)
  const exports = await knownExports(invocation, settings)
  const { from, to } = await openRange(args[0] ?? '', settings, io)
  const asked = await askedByMany(given, settings, io)
  return fleetImpact(
    { from, to, fleet, budgetMs, progress: progressOf(fleet.nodes.length, io) },
    { exports, asked, io },
    settings,
  )
}

/** Throws WRONG_TIME_LIMIT. */
function millisecondsIn(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : fail(issues.WRONG_TIME_LIMIT, { given: seconds })
}
