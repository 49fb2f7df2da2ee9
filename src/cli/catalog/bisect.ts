import { bisect } from '../../base/bisection.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { resolveCommit } from '../../code/environments/git/commit-resolution.ts'
import type { GitObjectSource, HistoryCommit } from '../../code/git/git-object-source.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { type CatalogDiff, diffPreparedCatalogs, formatCatalogDiff } from '../../model/catalog-diff.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { classOption } from '../fleet/fleet.ts'
import { loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { exportsOption, readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { deployLocally } from '../input/local-deployment.ts'
import { classifyNode } from '../input/node-classification.ts'
import { factsOption, nodeOption, readCompileFacts } from '../input/node-facts.ts'
import { createCatalogQueries, inputsOption } from '../input/query-answers.ts'
import { CommitCatalogs, type ResourceState } from './commit-catalogs.ts'

const issues = defineIssues({
  BISECT_RANGE: {
    text: (a: { given: string }) => `'${a.given}' is not a range of commits`,
    hint: () => 'Give two commits as GOOD..BAD, the older one first, such as production~100..production.',
  },
  BISECT_NO_RESOURCE: {
    text: (_: object) => 'No resource given',
    hint: () => "Give a reference: --resource 'File[/etc/motd]'.",
  },
  BISECT_NO_WAY: {
    text: (a: { good: string; bad: string }) => `'${a.good}' is not a first-parent ancestor of '${a.bad}'`,
    hint: () =>
      'Only first parents are followed. Give an older commit of the same branch, not a commit of a merged branch.',
  },
  BISECT_SAME: {
    text: (a: { what: string; good: string; bad: string }) => `${a.what} is identical in '${a.good}' and '${a.bad}'`,
    hint: () => "'plumb catalog diff' prints the differences between the two catalogs.",
  },
  BISECT_UNKNOWN_RESOURCE: {
    text: (a: { resource: string; good: string; bad: string; known: Iterable<string> }) =>
      `Could not find ${a.resource} in the catalog of '${a.good}' or of '${a.bad}'`,
    hint: (a) => formatSuggestion(a.resource, a.known),
  },
  BISECT_UNKNOWN_PARAMETER: {
    text: (a: { resource: string; parameter: string; known: Iterable<string> }) =>
      `${a.resource} has no parameter '${a.parameter}' in either catalog`,
    hint: (a) => formatSuggestion(a.parameter, a.known),
  },
})

const bisectOptions = [
  nodeOption,
  { flags: '--resource <reference>', doc: 'Reference of the resource, such as File[/etc/motd].' },
  {
    flags: '--parameter <name>',
    doc: 'Compare this parameter only. Default: all parameters, and the existence of the resource.',
  },
  factsOption,
  exportsOption,
  inputsOption,
  classOption,
  repositoryOption,
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb catalog bisect`. */
export const catalogBisect = defineCommand({
  name: 'bisect',
  summary: "Find the commit that changed a resource of a node's catalog.",
  description: `Compiles the catalog of the node from both commits, then from commits between them by binary search, and prints the
commit that changed the resource, with the change. All catalogs are compiled with the same facts. Only first parents
are followed: for a merged change, the merge commit is found. A commit whose catalog does not compile is skipped, as
by 'git bisect skip'. Commits with identical files are compiled once, and commits that differ only in files that the
catalog did not read are not compiled. If the resource changed several times, one of the changes is found.

Exits with 0 if the commit is found, otherwise with 1: both ends are equal, or the remaining commits do not compile.

  plumb catalog bisect production~500..production --node web1 --resource 'File[/etc/motd]' --repo control.git
  plumb catalog bisect v1.2..v1.3 --node web1 --resource 'Service[ntp]' --parameter ensure --facts web1.json`,
  usage: '<good..bad>',
  options: bisectOptions,
  async run(invocation) {
    const { options, args, io } = invocation
    const [good, bad] = parseRange(args[0]!)
    const resource = normalizeReference(options.resource ?? throwIssue(issues.BISECT_NO_RESOURCE, {}))
    const settings = loadCodeSettings(invocation)
    const source = await openCodeRepository(settings)
    const { deployed, close } = deployLocally(source, settings, io)
    try {
      const target = await buildBisectTarget(invocation)
      const catalogs = new CommitCatalogs({ source, settings, io, deployed, ...target }, resource, options.parameter)
      const found = await findChange({ good, bad, source, catalogs, io }, resource, options.parameter)
      io.out(options.renderAs === 'json' ? formatChangeJson(found) : formatChangeText(found))
      return found.candidates.length === 1 ? 0 : 1
    } finally {
      await close()
      await source.close()
    }
  },
})

/** Parses the range `GOOD..BAD`. Throws BISECT_RANGE. */
function parseRange(given: string): readonly [good: string, bad: string] {
  const [good = '', bad = '', ...more] = given.split('..')
  const isRange = good !== '' && bad !== '' && !bad.startsWith('.') && more.length === 0
  return isRange ? [good, bad] : throwIssue(issues.BISECT_RANGE, { given })
}

/** Normalizes a resource reference; other text is returned unchanged and matches nothing. */
function normalizeReference(given: string): string {
  const at = given.indexOf('[')
  if (at < 1 || !given.endsWith(']')) return given
  const type = capitalizeSegments(given.slice(0, at).toLowerCase())
  const title = given.slice(at + 1, -1)
  return `${type}[${type === 'Class' ? capitalizeSegments(title.toLowerCase()) : title}]`
}

async function buildBisectTarget(invocation: CommandInvocation<typeof bisectOptions>) {
  const { options } = invocation
  const settings = loadCodeSettings(invocation)
  const node = checkFileName('catalog', options.node ?? settings.certname)
  const exports = await readExportedResources(invocation, settings)
  const classified = await classifyNode(node, options.class ?? [], settings)
  const facts = await readCompileFacts(invocation, settings)
  const { requireAll: _, ...ways } = createCatalogQueries(options, settings)
  return { target: { node, facts, classified }, outside: { ...toExportSearch(exports), ...ways } }
}

interface Search {
  readonly good: string
  readonly bad: string
  readonly source: GitObjectSource
  readonly catalogs: CommitCatalogs
  readonly io: Io
}

/** The commit that changed a resource, or the candidates if some did not compile. */
interface FoundChange {
  readonly resource: string
  readonly parameter: string | undefined
  readonly commits: number
  readonly compiled: number
  /**
   * Number of catalogs that were not compiled, because all files that an earlier compilation read
   * are unchanged.
   */
  readonly recalled: number
  readonly skipped: CommitCatalogs['skipped']
  /** Candidate commits, oldest first; a single commit if the search found it. */
  readonly candidates: readonly string[]
  /** Author, subject and time of a single candidate. */
  readonly words: { readonly author: string; readonly subject: string; readonly time: string } | undefined
  readonly place: Pick<ResourceState, 'file' | 'line'>
  readonly diff: CatalogDiff
}

async function findChange(
  { good, bad, source, catalogs, io }: Search,
  resource: string,
  parameter: string | undefined,
): Promise<FoundChange> {
  const [from, until] = [await resolveCommit(source, bad), await resolveCommit(source, good)]
  const history = (await source.firstParents(from, until))?.toReversed()
  if (!history) return throwIssue(issues.BISECT_NO_WAY, { good, bad })
  const last = history.length - 1
  const first = await catalogs.of(history[0]!, good)
  const changed = await catalogs.of(history[last]!, bad)
  const ends = [first, changed]
  if (ends.every(({ parameters }) => !parameters)) {
    const known = ends.flatMap((end) => end.known)
    throwIssue(issues.BISECT_UNKNOWN_RESOURCE, { resource, good, bad, known })
  }
  const names = ends.flatMap(({ parameters }) => [...(parameters?.keys() ?? [])])
  if (parameter !== undefined && !names.includes(parameter))
    throwIssue(issues.BISECT_UNKNOWN_PARAMETER, { resource, parameter, known: names })
  if (first.key === changed.key) {
    const what = parameter === undefined ? resource : `'${parameter}' of ${resource}`
    throwIssue(issues.BISECT_SAME, { what, good, bad })
  }
  const states = new Map([
    [0, first],
    [last, changed],
  ])
  const progress = createSearchProgress(io)
  const { before, after } = await bisect(last, async (place, left) => {
    const each = history[place]!
    progress.at(each, left)
    const state = await catalogs.tried(each)
    if (!state) return 'unknown'
    states.set(place, state)
    return state.key === first.key ? 'before' : 'after'
  }).finally(() => progress.clear())
  const [old, now] = [states.get(before)!, states.get(after)!]
  const candidates = history.slice(before + 1, after + 1).map(({ commit }) => commit)
  return {
    ...{
      resource,
      parameter,
      commits: history.length,
      ...catalogs.counts,
      skipped: catalogs.skipped,
      candidates,
    },
    words: candidates.length === 1 ? await readCommitDetails(source, candidates[0]!) : undefined,
    place: now,
    diff: diffPreparedCatalogs(old.side, now.side),
  }
}

async function readCommitDetails(source: GitObjectSource, commit: string): Promise<FoundChange['words']> {
  const time = new Date((await source.commitTime(commit)) * 1000).toISOString()
  return { ...(await source.commitWords(commit)), time }
}

/** Progress line of the search, on a terminal only. */
function createSearchProgress({ err, errTerminal }: Io): {
  at(commit: HistoryCommit, left: number): void
  clear(): void
} {
  return {
    at({ commit }, left) {
      const steps = Math.ceil(Math.log2(left + 1))
      if (errTerminal) err(`\r\u001b[KBisecting: ${left} commits left, about ${steps} steps: ${commit.slice(0, 12)}`)
    },
    clear() {
      if (errTerminal) err('\r\u001b[K')
    },
  }
}

function formatChangeJson({ resource, parameter, candidates, words, place, diff, ...counts }: FoundChange): string {
  const [commit] = candidates
  const found = words ? { id: commit!, ...words } : null
  const { file = null, line = null } = place
  const { commits, compiled, recalled, skipped } = counts
  const change = { added: diff.added, removed: diff.removed, changed: diff.changed }
  return `${formatExactJson({ resource, parameter: parameter ?? null, commit: found, candidates, change, file, line, commits, compiled, recalled, skipped }, 2)}\n`
}

/** Maximum number of candidates that are printed. */
const maxListed = 20

function formatChangeText({ resource, parameter, candidates, words, place, diff, ...counts }: FoundChange): string {
  const what = parameter === undefined ? resource : `'${parameter}' of ${resource}`
  const lines = words
    ? [
        `${candidates[0]} is the commit that changed ${what}`,
        `author:  ${words.author}`,
        `date:    ${words.time}`,
        `subject: ${words.subject}`,
      ]
    : [`One of these ${candidates.length} commits changed ${what}; all but the last one failed to compile:`]
  if (!words) {
    lines.push(...candidates.slice(-maxListed).map((each) => `  ${each}`))
    if (candidates.length > maxListed) lines.push(`  and ${candidates.length - maxListed} older commits`)
  }
  const { commits, compiled, recalled, skipped } = counts
  const where =
    place.file === undefined ? '' : `(file: ${place.file}${place.line === undefined ? '' : `, line: ${place.line}`})`
  const summary = `${compiled} catalogs compiled for ${commits} commits, ${recalled} recalled, ${skipped.length} commits skipped`
  const changes = formatCatalogDiff(diff).split('\n').slice(0, -2)
  return `${[...lines, '', ''].map(toPrintable).join('\n')}${changes.join('\n')}\n${[where, summary]
    .filter((each) => each !== '')
    .map(toPrintable)
    .join('\n')}\n`
}
