import type { Command as Commander, CommanderError } from 'commander'
import { createPuppetError, defineIssues, type PuppetError } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { settingDefinitions } from '../../machine/settings/definitions/index.ts'

/** A value that an option does not accept. */
interface Choice {
  readonly option: string
  readonly value: string
  readonly choices: readonly string[]
}

function formatChoicesHint({ option, value, choices }: Choice): string {
  const guess = formatSuggestion(value, choices)
  return `${guess ? `${guess} ` : ''}Valid values of ${option}: ${choices.join(', ')}.`
}

/** Commands and actions of Puppet that do not exist here, with their replacements. */
export const replacementHints: Readonly<Record<string, string | undefined>> = {
  report: "The agent sends reports; 'plumb node show' and 'plumb query' print them.",
  key: "'plumb ssl' manages keys.",
  status: "'plumb code status' prints the state of a server.",
  'module install': 'Add the module to the Puppetfile of a branch; the server fetches it after a push.',
  'module upgrade': "'plumb code update MODULE' fetches modules of a Puppetfile again.",
  'module uninstall': 'Remove the module from the Puppetfile of the branch.',
  'module search': 'Search modules on https://forge.puppet.com.',
  'module changes': "'git diff' shows changes of modules in a repository.",
  'catalog save': "'plumb catalog download' stores the catalog of this node.",
  'catalog apply': "'plumb apply --catalog FILE' applies a catalog.",
}

/** Errors in a command line. Puppet: util/command_line.rb, application.rb, application/face_base.rb. */
export const usageIssues = defineIssues({
  UNKNOWN_COMMAND: {
    text: (a: { name: string; known: Iterable<string> }) => `Unknown Puppet subcommand '${a.name}'`,
    hint: (a) => formatAdvice(replacementHints[a.name] ?? formatSuggestion(a.name, a.known), 'plumb help'),
  },
  UNKNOWN_ACTION: {
    text: (a: { path: string; action: string; known: Iterable<string> }) =>
      `'${a.path.replace(/^plumb /, '')}' has no '${a.action}' action.`,
    hint: (a) =>
      formatAdvice(
        replacementHints[`${a.path.replace(/^plumb /, '')} ${a.action}`] ?? formatSuggestion(a.action, a.known),
        formatHelpCommand(a.path),
      ),
  },
  INVALID_OPTION: {
    text: (a: { path: string; option: string; known: Iterable<string> }) =>
      `Could not parse application options: invalid option: ${a.option}`,
    hint: (a) => formatAdvice(formatSuggestion(a.option, a.known), formatHelpCommand(a.path)),
  },
  MISSING_ARGUMENT: {
    text: (a: { option: string }) => `Could not parse application options: missing argument: ${a.option}`,
  },
  // Message of Ruby: optparse.rb
  NEEDLESS_ARGUMENT: {
    text: (a: { option: string }) => `Could not parse application options: needless argument: ${a.option}`,
    hint: () => 'Omit the value: `--NAME` turns the flag on, `--no-NAME` turns it off.',
  },
  AMBIGUOUS_OPTION: {
    text: (a: { option: string; matching: readonly string[] }) =>
      `Could not parse application options: ambiguous option: ${a.option}`,
    hint: (a) => `It may mean --${a.matching.slice(0, 5).join(', --')}${a.matching.length > 5 ? ' and others' : ''}.`,
  },
  // Message of Puppet: interface/action.rb
  UNKNOWN_RENDERING: {
    text: (a: Choice) => `Could not parse application options: I don't know how to render '${a.value}'`,
    hint: formatChoicesHint,
  },
  // Message of Ruby: optparse.rb
  INVALID_ARGUMENT: {
    text: (a: Choice) => `Could not parse application options: invalid argument: ${a.option} ${a.value}`,
    hint: formatChoicesHint,
  },
  ARGUMENT_COUNT: {
    text: (a: { path: string; takes: string; given: number }) => `${a.path} takes ${a.takes}, but you gave ${a.given}`,
    hint: (a) => formatAdvice(undefined, formatHelpCommand(a.path)),
  },
})

/** Converts commander's error about a command line; `path` is the command with its parent commands. */
export function toUsageError({ code, message }: CommanderError, commander: Commander, path: string): PuppetError {
  const [, quoted = ''] = /'([^'=]*)/.exec(message) ?? []
  switch (code) {
    case 'commander.unknownOption':
      return createPuppetError(usageIssues.INVALID_OPTION, {
        path,
        option: quoted,
        known: listSimilarOptions(quoted, commander),
      })
    case 'commander.optionMissingArgument':
      return createPuppetError(usageIssues.MISSING_ARGUMENT, { option: /--[\w-]+/.exec(quoted)?.[0] ?? quoted })
    case 'commander.unknownCommand': {
      const known = commander.commands.map((each) => each.name())
      return createPuppetError(usageIssues.UNKNOWN_ACTION, { path, action: commander.args[0] ?? '', known })
    }
    default:
      return createPuppetError(usageIssues.ARGUMENT_COUNT, {
        path,
        takes: describeArguments(commander),
        given: commander.args.length,
      })
  }
}

/** Candidates for a mistyped option: options of the command and of its parents, and settings. */
function listSimilarOptions(option: string, commander: Commander): string[] {
  const prefix = option.startsWith('--no-') ? '--no-' : '--'
  const own: string[] = []
  for (let each: Commander | null = commander; each; each = each.parent)
    own.push(...each.options.flatMap(({ long }) => long ?? []))
  return [...own, '--help', ...Object.keys(settingDefinitions).map((name) => `${prefix}${name}`)]
}

/** The number of arguments of a command as text: `at least 2 arguments`. */
function describeArguments({ registeredArguments: all }: Commander): string {
  const least = all.filter(({ required }) => required).length
  const formatArgumentCount = (count: number) => `${count} argument${count === 1 ? '' : 's'}`
  if (all.some(({ variadic }) => variadic)) return `at least ${formatArgumentCount(least)}`
  if (all.length === 0) return 'no arguments'
  return least === all.length ? formatArgumentCount(least) : `at most ${formatArgumentCount(all.length)}`
}

const formatHelpCommand = (path: string): string => path.replace(/^plumb/, 'plumb help')

const formatAdvice = (guess: string | undefined, help: string): string => `${guess ? `${guess} ` : ''}See '${help}'.`
