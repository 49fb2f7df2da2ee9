import { throwIssue } from '../../base/issue.ts'
import { defineCommand } from '../command/command.ts'
import { usageIssues } from '../command/usage-errors.ts'
import { commands } from '../commands.ts'
import { formatCommandPage, formatMainPage } from './roff-pages.ts'

/** The command `plumb man`. */
export const man = defineCommand({
  name: 'man',
  summary: 'Print the manual page of the program or of one command.',
  description: `Prints the source of a manual page for man or groff.

  man <(plumb man)
  plumb man agent > plumb-agent.1`,
  usage: '[command]',
  async run({ args: [name], io }) {
    if (name === undefined) io.out(formatMainPage())
    else {
      const known = commands.map((each) => each.name)
      const entry =
        commands.find((each) => each.name === name) ?? throwIssue(usageIssues.UNKNOWN_COMMAND, { name, known })
      io.out(formatCommandPage(entry, await entry.load()))
    }
    return 0
  },
})
