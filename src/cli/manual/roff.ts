import type { Command } from '../command/command.ts'
import { everywhere, type Option } from '../command/options.ts'
import { version } from '../command/version.ts'
import { type CommandEntry, groupedCommands } from '../commands.ts'

/** The manual page of one command with its actions. */
export function commandPage({ name }: CommandEntry, command: Command): string {
  return [
    header(`PLUMB-${name}`),
    ...nameSection(`plumb-${name}`, command.summary),
    ...formatAction(command, `plumb ${name}`),
    ...ending,
  ].join('\n')
}

/** The manual page of plumb with all commands. */
export function mainPage(): string {
  const lines = groupedCommands().flatMap(({ title, members }) => [
    `.SS ${roff(title)}`,
    ...members.flatMap(({ name, summary }) => ['.TP', `.B ${roff(name)}`, roff(summary)]),
  ])
  return [
    header('PLUMB'),
    ...nameSection('plumb', 'Git-backed static-catalog code server, compiler and agent for the Puppet language'),
    ...['.SH SYNOPSIS', '.B plumb', '.I command', '.RI [ options ]'],
    ...['.SH COMMANDS', ...lines],
    ...['.SH OPTIONS', 'Any setting is an option of every command.', ...everywhere.flatMap(formatOption)],
    ...ending,
  ].join('\n')
}

const header = (title: string): string => `.TH ${roff(title.toUpperCase())} 1 "" "plumb ${version}" "Plumbline"`

const nameSection = (name: string, summary: string): readonly string[] => [
  '.SH NAME',
  `${roff(name)} \\- ${roff(summary.replace(/\.$/, ''))}`,
]

const ending: readonly string[] = [
  '.SH FILES',
  '.TP',
  '.I /etc/plumb/puppet.conf',
  'Settings; ~/.plumb/etc/puppet.conf for a user other than root.',
  '.SH ENVIRONMENT',
  '.TP',
  '.B PLUMB_CONFDIR, PLUMB_VARDIR',
  'The folders of configuration and state.',
  '.SH EXIT STATUS',
  '0 after success, 1 after a failure, unless the command documents another.',
  '.SH SEE ALSO',
  "The folder of documents of the package, and 'plumb help'.",
  '',
]

function formatAction(command: Command, path: string): readonly string[] {
  const { description, summary, run, usage, options = [], commands = [] } = command
  return [
    `.SH ${roff(path.toUpperCase())}`,
    ...(run ? [`.B ${roff(path)}`, `[options] ${roff(usage ?? '')}`.trimEnd(), '.PP'] : []),
    ...(description ?? summary).split('\n').flatMap(textLine),
    ...options.flatMap(formatOption),
    ...commands.flatMap((each) => formatAction(each, `${path} ${each.name}`)),
  ]
}

function formatOption({ flags, doc, default: standard }: Option): readonly string[] {
  return ['.TP', `.B ${roff(flags)}`, roff(standard === undefined ? doc : `${doc} Default: ${standard}.`)]
}

/** A line of text; an indented line is an example. */
function textLine(line: string): readonly string[] {
  if (line.trim() === '') return ['.PP']
  return line.startsWith('  ') ? ['.nf', roff(line), '.fi'] : [roff(line)]
}

/** Escapes text for roff. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
