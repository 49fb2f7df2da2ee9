import { beforeAll, describe, expect, it } from 'vitest'
import type { CliCommand } from '../../src/cli/command/command.ts'
import { globalOptions } from '../../src/cli/command/options.ts'
import { commands } from '../../src/cli/commands.ts'
import { translateCommandLine } from '../../src/cli/names/program-name.ts'
import { resolveSettingName } from '../../src/machine/settings/settings.ts'
import { optionsOfPuppet } from './options-of-puppet.ts'

/** Applications and actions that are unknown, with the reason. */
const absent: Readonly<Record<string, string>> = {
  'catalog apply': 'API only in Puppet; plumb apply --catalog applies a catalog.',
  'catalog info': 'Prints the terminus; plumb config print catalog_terminus does.',
  'catalog save': 'API only in Puppet.',
  'facts info': 'Prints the terminus; plumb config print facts_terminus does.',
  'facts save': 'API only in Puppet; plumb facts upload saves facts on a server.',
  'node info': 'Prints the terminus; plumb config print node_terminus does.',
  'report info': 'Prints the terminus, which is fixed.',
  'report save': 'API only in Puppet.',
  'report submit': 'API only in Puppet.',
}

/** Options that are unknown, with the reason. */
const absentOptions: Readonly<Record<string, string>> = {
  '--extra': 'Puppet 7 only; no terminus of Puppet reads it.',
  '--terminus': 'A terminus is a setting here: --node_terminus, --facts_terminus, --catalog_terminus, or routes.yaml.',
  'apply --use-nodes': 'Puppet accepts and ignores it; it is not documented.',
  'apply --parseonly': 'Puppet only tells the user to run puppet parser validate.',
  'help help --ronn': 'Writes the source of a manual page for one tool; plumb man prints a manual page.',
  'help help --version': 'Names the version of a face; each command has one version.',
  'catalog find --facts_for_catalog': 'API only in Puppet: the command line collects facts by itself.',
  'device --centrallogging': 'Puppet sets it and never reads it.',
  'device --port': 'Puppet sets it and never reads it.',
  'device -p': 'As --port.',
  'doc --all': 'Printed documentation of manifests; puppet-strings does that now.',
  'doc -a': 'As --all.',
  'doc --outputdir': 'As --all.',
  'doc -o': 'As --all.',
  'doc --charset': 'As --all.',
  'doc --mode': 'As --all.',
  'doc -m': 'As --all.',
  'doc --format': 'The reference is always Markdown.',
  'doc -f': 'As --format.',
  'lookup --trusted': 'The trusted facts of a node that the CA signed; --facts may contain trusted facts.',
  'script --test': 'Puppet sets verbose and show_diff; a script applies nothing.',
  'script -t': 'As --test.',
  'script -l': 'A script logs to the terminal; redirect its output.',
  'ssl --target': 'plumb device manages the certificates of devices.',
}

const byPath = new Map<string, readonly string[]>()

beforeAll(async () => {
  const add = (command: CliCommand, path: string, inherited: readonly string[]) => {
    const flags = (command.options ?? []).flatMap(({ flags }) =>
      flags.split(/[ ,]+/).filter((word) => word.startsWith('-')),
    )
    const all = [...inherited, ...flags, ...Object.keys(command.letters ?? {})]
    byPath.set(path, all)
    for (const each of command.commands ?? []) add(each, `${path} ${each.name}`, all)
  }
  const global = globalOptions.flatMap(({ flags }) => flags.split(/[ ,]+/))
  for (const { name, load } of commands) add(await load(), name, global)
}, 60_000)

describe('the command line of Puppet', () => {
  it.each(optionsOfPuppet)('is known: %s', (line) => {
    const [application = '', given = ''] = line.split(/: ?/)
    if (absent[application] !== undefined) return expect(byPath.has(application)).toBe(false)
    const known = ours(application)
    expect(known, `plumb ${application}`).toBeDefined()
    const wanted = given.split(' ').filter((option) => option !== '')
    const missing = wanted.filter((option) => !isKnown(option, known!))
    const reasoned = missing.filter((option) => reasonFor(application, option) !== undefined)
    expect(missing).toEqual(reasoned)
  })
})

const reasonFor = (application: string, option: string): string | undefined =>
  absentOptions[`${application} ${option}`] ?? absentOptions[option]

/** The options of our command that does the work of an application; `undefined` for none. */
function ours(application: string): readonly string[] | undefined {
  const [name = '', action] = translateCommandLine('puppet', application.split(' '))
  if (name === 'help') return []
  const own = byPath.get(action === undefined ? name : `${name} ${action}`)
  if (own !== undefined || action === undefined) return own === undefined ? undefined : withActions(name, own, action)
  // A command whose actions are words of its own, such as plumb facts show.
  return wordsAsActions[name]?.includes(action) ? byPath.get(name) : undefined
}

const wordsAsActions: Readonly<Record<string, readonly string[]>> = {
  facts: ['show', 'find', 'upload'],
}

/** An application of Puppet without actions takes the options that ours has for its actions. */
function withActions(name: string, own: readonly string[], action: string | undefined): readonly string[] {
  if (action !== undefined) return own
  return [...own, ...[...byPath].flatMap(([path, options]) => (path.startsWith(`${name} `) ? options : []))]
}

function isKnown(option: string, known: readonly string[]): boolean {
  const bare = option.replace('[no-]', '')
  if (known.includes(option) || known.includes(bare) || known.includes(bare.replace('--', '--no-'))) return true
  return bare.startsWith('--') && resolveSettingName(bare.slice(2)) !== undefined
}
