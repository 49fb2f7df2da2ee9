import { throwIssue } from '../../base/issue.ts'
import { toPrintableLine } from '../../base/text/printable.ts'
import { type FoundModule, searchForge } from '../../deploy/modules/forge-listing.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { withForge } from './forge-session.ts'
import { moduleCommandIssues as issues } from './module-issues.ts'
import { printNotice } from './notice.ts'

const searchOptions = [renderAs] as const

/** Longest summary that is printed, in characters. */
const summaryLength = 70

/** The command `plumb module search`. */
export const searchCommand: CliCommand = defineCommand({
  name: 'search',
  summary: 'Search the Forge for modules.',
  description: `Prints the modules whose names, summaries or tags match, the best matches first.

  plumb module search apache
  plumb module search 'time server' --render-as json

Exits with 0, or with 1 if no module was found.`,
  usage: '<words>',
  options: searchOptions,
  run: runSearch,
})

async function runSearch({
  args,
  options,
  settings: given,
  io,
}: CommandInvocation<typeof searchOptions>): Promise<number> {
  const words = args.join(' ')
  if (words.trim() === '') throwIssue(issues.MODULE_NAME_NEEDED, { action: 'search' })
  const settings = loadSettings({ given, runMode: 'user' })
  const found = await withForge(settings, ({ web, forge, limit }) => {
    printNotice(`Searching ${forge.url} ...`, io)
    return searchForge(web, forge, words, limit())
  })
  if (options.renderAs === 'json') io.out(`${JSON.stringify(found.map(toJson), undefined, 2)}\n`)
  else if (found.length === 0) printNotice(`No results found for '${words}'.`, io)
  else io.out(formatRows(found))
  return found.length > 0 ? 0 : 1
}

function toJson({ slug, version, summary, tags, isDeprecated }: FoundModule) {
  return { name: slug, version, summary, tags, deprecated: isDeprecated }
}

function formatRows(found: readonly FoundModule[]): string {
  const rows = [
    ['NAME', 'VERSION', 'SUMMARY'],
    ...found.map(({ slug, version, summary, isDeprecated }) => [
      slug,
      version,
      `${isDeprecated ? '(deprecated) ' : ''}${summary.slice(0, summaryLength)}`,
    ]),
  ].map((row) => row.map(toPrintableLine))
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map(
      ([name = '', version = '', summary = '']) =>
        `${name.padEnd(widths[0]!)}  ${version.padEnd(widths[1]!)}  ${summary}\n`,
    )
    .join('')
}
