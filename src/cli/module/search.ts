import { toPrintable } from '../../base/text/printable.ts'
import { ForgeModules, type FoundModule } from '../../deploy/module-tool/forge-modules.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { printNotice } from './module-context.ts'

/** The command `plumb module search`. */
export const searchCommand = defineCommand({
  name: 'search',
  summary: 'Search the Forge for modules.',
  description: `Lists the modules of the Forge in module_repository that match the words, the best first.

  plumb module search ntp
  plumb module search 'apache proxy' --render-as json

Exits with 0, also if nothing was found, or with 1 if the Forge cannot be reached.`,
  usage: '<words...>',
  options: [renderAs],
  async run({ args, options, settings: given, io }) {
    const isJson = options.renderAs === 'json'
    const forge = new ForgeModules(loadSettings({ given, runMode: 'user' }), (message) =>
      printMessage('Warning', message, io),
    )
    try {
      printNotice(`Searching ${forge.url} ...`, io, isJson)
      const found = await forge.search(args.join(' '))
      if (isJson) io.out(`${JSON.stringify(found, undefined, 2)}\n`)
      else printTable(found, args.join(' '), io)
      return 0
    } finally {
      await forge.close()
    }
  },
})

/** Largest width of a summary in the table, in characters. */
const widestSummary = 60

function printTable(found: readonly FoundModule[], words: string, io: Io): void {
  if (found.length === 0) {
    io.out(`No results found for '${toPrintable(words)}'.\n`)
    return
  }
  const rows = found.map(({ name, version, summary, owner, deprecated }) => [
    toPrintable(name),
    toPrintable(version ?? ''),
    toPrintable(owner),
    shortenSummary(`${deprecated ? '(deprecated) ' : ''}${toPrintable(summary)}`),
  ])
  const table = [['NAME', 'VERSION', 'OWNER', 'SUMMARY'], ...rows]
  const widths = [0, 1, 2].map((column) => table.reduce((most, row) => Math.max(most, row[column]!.length), 0))
  for (const row of table)
    io.out(
      `${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}

function shortenSummary(text: string): string {
  return text.length > widestSummary ? `${text.slice(0, widestSummary - 1)}…` : text
}
