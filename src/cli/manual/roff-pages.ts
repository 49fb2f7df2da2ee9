import type { CliCommand } from '../command/command.ts'
import { globalOptions, type Option } from '../command/options.ts'
import { version } from '../command/version.ts'
import { type CommandEntry, listCommandGroups } from '../commands.ts'

/** The manual page of one command with its actions. */
export function formatCommandPage({ name }: CommandEntry, command: CliCommand): string {
  return [
    formatHeader(`PLUMB-${name}`),
    ...formatNameSection(`plumb-${name}`, command.summary),
    ...formatAction(command, `plumb ${name}`),
    ...ending,
  ].join('\n')
}

/** The manual page of plumb with all commands. */
export function formatMainPage(): string {
  const lines = listCommandGroups().flatMap(({ title, members }) => [
    `.SS ${escapeRoff(title)}`,
    ...members.flatMap(({ name, summary }) => ['.TP', `.B ${escapeRoff(name)}`, escapeRoff(summary)]),
  ])
  return [
    formatHeader('PLUMB'),
    ...formatNameSection('plumb', 'Git-backed static-catalog code server, compiler and agent for the Puppet language'),
    ...['.SH SYNOPSIS', '.B plumb', '.I command', '.RI [ options ]'],
    ...['.SH COMMANDS', ...lines],
    ...['.SH OPTIONS', 'Every setting is also an option of every command.', ...globalOptions.flatMap(formatOption)],
    ...ending,
  ].join('\n')
}

const formatHeader = (title: string): string =>
  `.TH ${escapeRoff(title.toUpperCase())} 1 "" "plumb ${version}" "Plumbline"`

const formatNameSection = (name: string, summary: string): readonly string[] => [
  '.SH NAME',
  `${escapeRoff(name)} \\- ${escapeRoff(summary.replace(/\.$/, ''))}`,
]

const ending: readonly string[] = [
  '.SH FILES',
  '.TP',
  '.I /etc/plumb/puppet.conf',
  'Settings; ~/.plumb/etc/puppet.conf for a user other than root.',
  '.SH ENVIRONMENT',
  '.TP',
  '.B PLUMB_CONFDIR, PLUMB_VARDIR',
  'Configuration and state directories.',
  '.SH EXIT STATUS',
  '0 after success, 1 after a failure, unless the command documents another.',
  '.SH SEE ALSO',
  "The documentation directory of the package, and 'plumb help'.",
  '',
]

function formatAction(command: CliCommand, path: string): readonly string[] {
  const { description, summary, run, usage, options = [], commands = [] } = command
  return [
    `.SH ${escapeRoff(path.toUpperCase())}`,
    ...(run ? [`.B ${escapeRoff(path)}`, `[options] ${escapeRoff(usage ?? '')}`.trimEnd(), '.PP'] : []),
    ...(description ?? summary).split('\n').flatMap(formatTextLine),
    ...options.flatMap(formatOption),
    ...commands.flatMap((each) => formatAction(each, `${path} ${each.name}`)),
  ]
}

function formatOption({ flags, doc, default: standard }: Option): readonly string[] {
  return ['.TP', `.B ${escapeRoff(flags)}`, escapeRoff(standard === undefined ? doc : `${doc} Default: ${standard}.`)]
}

/** A line of text; an indented line is an example. */
function formatTextLine(line: string): readonly string[] {
  if (line.trim() === '') return ['.PP']
  return line.startsWith('  ') ? ['.nf', escapeRoff(line), '.fi'] : [escapeRoff(line)]
}

/** Escapes text for roff. */
function escapeRoff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
