import { bisect } from '../../base/bisect.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { printJson } from '../../base/json/json-text.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { commitOf } from '../../code/environments/git/commit-of.ts'
import type { GitObjectSource, HistoryCommit } from '../../code/git/git-object-source.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { type CatalogDiff, diffSides, printDiff } from '../../model/catalog-diff.ts'
import { fileName } from '../../model/indirector/file-name.ts'
import { defineCommand, type Invocation, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { classOption } from '../fleet/fleet.ts'
import { classify } from '../input/classify.ts'
import { codeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { deployHere } from '../input/deploy-here.ts'
import { exportsOption, knownExports, searching } from '../input/known-exports.ts'
import { asking, inputsOption } from '../input/known-inputs.ts'
import { factsOption, factsToCompile, nodeOption } from '../input/node-facts.ts'
import { CommitCatalogs, type ResourceState } from './commit-catalogs.ts'

const issues = defineIssues({
  BISECT_RANGE: {
    text: (a: { given: string }) => `'${a.given}' is no range of commits`,
    hint: () => 'Give two commits as GOOD..BAD, the older one first, such as production~100..production.',
  },
  BISECT_NO_RESOURCE: {
    text: (_: object) => 'No resource is named',
    hint: () => "Name one as catalogs do: --resource 'File[/etc/motd]'.",
  },
  BISECT_NO_WAY: {
    text: (a: { good: string; bad: string }) => `The history of '${a.bad}' does not lead back to '${a.good}'`,
    hint: () =>
      'It is followed by first parents, as a branch had its commits: name an older commit of the same branch, not one of a branch that was merged into it.',
  },
  BISECT_SAME: {
    text: (a: { what: string; good: string; bad: string }) => `${a.what} is the same in '${a.good}' and '${a.bad}'`,
    hint: () => "'plumb catalog diff' shows what differs between the two.",
  },
  BISECT_UNKNOWN_RESOURCE: {
    text: (a: { resource: string; good: string; bad: string; known: Iterable<string> }) =>
      `There is no resource ${a.resource}, neither in the catalog from '${a.good}' nor in that from '${a.bad}'`,
    hint: (a) => didYouMean(a.resource, a.known),
  },
  BISECT_UNKNOWN_PARAMETER: {
    text: (a: { resource: string; parameter: string; known: Iterable<string> }) =>
      `${a.resource} has no parameter '${a.parameter}' in either catalog`,
    hint: (a) => didYouMean(a.parameter, a.known),
  },
})

const bisectOptions = [
  nodeOption,
  { flags: '--resource <reference>', doc: 'The resource, such as File[/etc/motd].' },
  { flags: '--parameter <name>', doc: 'One parameter of it; by default any, and whether the resource is there.' },
  factsOption,
  exportsOption,
  inputsOption,
  classOption,
  repositoryOption,
  renderAs,
] as const satisfies readonly Option[]

/** `plumb catalog bisect` */
export const catalogBisect = defineCommand({
  name: 'bisect',
  summary: "Finds the commit that changed a resource of a node's catalog.",
  description: `Compiles the node's catalog from both commits, then from one between them, and so on by halves, and prints the
commit with which the resource changed, and how. All are compiled for the same facts. History is that of the
branch: of a merge, the commit that merged is found. A commit from which the node has no catalog is passed over,
as 'git bisect skip' does; one that has the same files as another is compiled once, and one that differs only in
what the catalog never read is not compiled at all. Where a resource changed more than once, one of the changes
is found.

The exit status is 0 when the commit is found, else 1: when both ends are equal, or when only commits without a
catalog are left.

  plumb catalog bisect production~500..production --node web1 --resource 'File[/etc/motd]' --repo control.git
  plumb catalog bisect v1.2..v1.3 --node web1 --resource 'Service[ntp]' --parameter ensure --facts web1.json`,
  usage: '<good..bad>',
  options: bisectOptions,
  async run(invocation) {
    const { options, args, io } = invocation
    const [good, bad] = rangeOf(args[0]!)
    const resource = referenceOf(options.resource ?? fail(issues.BISECT_NO_RESOURCE, {}))
    const settings = codeSettings(invocation)
    const source = await openCodeRepository(settings)
    const { deployed, close } = deployHere(source, settings, io)
    try {
      const target = await targetFrom(invocation)
      const catalogs = new CommitCatalogs({ source, settings, io, deployed, ...target }, resource, options.parameter)
      const found = await changeBetween({ good, bad, source, catalogs, io }, resource, options.parameter)
      io.out(options.renderAs === 'json' ? jsonOf(found) : textOf(found))
      return found.candidates.length === 1 ? 0 : 1
    } finally {
      await close()
      await source.close()
    }
  },
})

/** Throws BISECT_RANGE. */
function rangeOf(given: string): readonly [good: string, bad: string] {
  const [good = '', bad = '', ...more] = given.split('..')
  const isRange = good !== '' && bad !== '' && !bad.startsWith('.') && more.length === 0
  return isRange ? [good, bad] : fail(issues.BISECT_RANGE, { given })
}

/** A reference as catalogs write it; what is none stays, and is not found. */
function referenceOf(given: string): string {
  const at = given.indexOf('[')
  if (at < 1 || !given.endsWith(']')) return given
  const type = capitalizeSegments(given.slice(0, at).toLowerCase())
  const title = given.slice(at + 1, -1)
  return `${type}[${type === 'Class' ? capitalizeSegments(title.toLowerCase()) : title}]`
}

async function targetFrom(invocation: Invocation<typeof bisectOptions>) {
  const { options } = invocation
  const settings = codeSettings(invocation)
  const node = fileName('catalog', options.node ?? settings.certname)
  const exports = await knownExports(invocation, settings)
  const classified = await classify(node, options.class ?? [], settings)
  const facts = await factsToCompile(invocation, settings)
  const { requireAll: _, ...ways } = asking(options, settings)
  return { target: { node, facts, classified }, outside: { ...searching(exports), ...ways } }
}

interface Search {
  readonly good: string
  readonly bad: string
  readonly source: GitObjectSource
  readonly catalogs: CommitCatalogs
  readonly io: Io
}

/** The commit that changed a resource, or those of which one did. */
interface FoundChange {
  readonly resource: string
  readonly parameter: string | undefined
  readonly commits: number
  readonly compiled: number
  /** Catalogs that read nothing but what an earlier one read alike. */
  readonly recalled: number
  readonly skipped: CommitCatalogs['skipped']
  /** The oldest first; one, where it is known. */
  readonly candidates: readonly string[]
  /** For people, where it is one. */
  readonly words: { readonly author: string; readonly subject: string; readonly time: string } | undefined
  readonly place: Pick<ResourceState, 'file' | 'line'>
  readonly diff: CatalogDiff
}

async function changeBetween(
  { good, bad, source, catalogs, io }: Search,
  resource: string,
  parameter: string | undefined,
): Promise<FoundChange> {
  const [from, until] = [await commitOf(source, bad), await commitOf(source, good)]
  const history = (await source.firstParents(from, until))?.toReversed()
  if (!history) return fail(issues.BISECT_NO_WAY, { good, bad })
  const last = history.length - 1
  const first = await catalogs.of(history[0]!, good)
  const changed = await catalogs.of(history[last]!, bad)
  const ends = [first, changed]
  if (ends.every(({ parameters }) => !parameters)) {
    const known = ends.flatMap((end) => end.known)
    fail(issues.BISECT_UNKNOWN_RESOURCE, { resource, good, bad, known })
  }
  const names = ends.flatMap(({ parameters }) => [...(parameters?.keys() ?? [])])
  if (parameter !== undefined && !names.includes(parameter))
    fail(issues.BISECT_UNKNOWN_PARAMETER, { resource, parameter, known: names })
  if (first.key === changed.key) {
    const what = parameter === undefined ? resource : `'${parameter}' of ${resource}`
    fail(issues.BISECT_SAME, { what, good, bad })
  }
  const states = new Map([
    [0, first],
    [last, changed],
  ])
  const progress = progressOf(io)
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
    words: candidates.length === 1 ? await wordsOf(source, candidates[0]!) : undefined,
    place: now,
    diff: diffSides(old.side, now.side),
  }
}

async function wordsOf(source: GitObjectSource, commit: string): Promise<FoundChange['words']> {
  const time = new Date((await source.commitTime(commit)) * 1000).toISOString()
  return { ...(await source.commitWords(commit)), time }
}

/** A line on a terminal about the step that is taken. */
function progressOf({ err, errTerminal }: Io): { at(commit: HistoryCommit, left: number): void; clear(): void } {
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

function jsonOf({ resource, parameter, candidates, words, place, diff, ...counts }: FoundChange): string {
  const [commit] = candidates
  const found = words ? { id: commit!, ...words } : null
  const { file = null, line = null } = place
  const { commits, compiled, recalled, skipped } = counts
  const change = { added: diff.added, removed: diff.removed, changed: diff.changed }
  return `${printJson({ resource, parameter: parameter ?? null, commit: found, candidates, change, file, line, commits, compiled, recalled, skipped }, 2)}\n`
}

/** Commits that are listed, of those of which any may be the one. */
const maxListed = 20

function textOf({ resource, parameter, candidates, words, place, diff, ...counts }: FoundChange): string {
  const what = parameter === undefined ? resource : `'${parameter}' of ${resource}`
  const lines = words
    ? [
        `${candidates[0]} is the commit that changed ${what}`,
        `author:  ${words.author}`,
        `date:    ${words.time}`,
        `subject: ${words.subject}`,
      ]
    : [`One of these ${candidates.length} commits changed ${what}; the node has no catalog from those before the last:`]
  if (!words) {
    lines.push(...candidates.slice(-maxListed).map((each) => `  ${each}`))
    if (candidates.length > maxListed) lines.push(`  and ${candidates.length - maxListed} older ones`)
  }
  const { commits, compiled, recalled, skipped } = counts
  const where =
    place.file === undefined ? '' : `(file: ${place.file}${place.line === undefined ? '' : `, line: ${place.line}`})`
  const summary = `${compiled} catalogs compiled for ${commits} commits, ${recalled} recalled, ${skipped.length} commits passed over`
  const changes = printDiff(diff).split('\n').slice(0, -2)
  return `${[...lines, '', ''].map(printable).join('\n')}${changes.join('\n')}\n${[where, summary]
    .filter((each) => each !== '')
    .map(printable)
    .join('\n')}\n`
}
