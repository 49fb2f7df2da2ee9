import { settingDefinitions } from '../../machine/settings/definitions/index.ts'
import type { SettingDefinition } from '../../machine/settings/kinds.ts'
import { globalOptions, type Option } from '../command/options.ts'
import { commands, loadCommandPaths } from '../commands.ts'

/** Words that may follow a command or an action on the command line. */
export interface PathWords {
  /** The command and action that precede these words, without `plumb`. */
  readonly path: readonly string[]
  /** Names of commands or actions. */
  readonly names: readonly string[]
  readonly options: readonly string[]
}

/** The input of a completion script: words by path, options of every command, and the values of options. */
export interface CompletionWords {
  readonly paths: readonly PathWords[]
  readonly settings: readonly string[]
  /** Values by option; the union if several commands have the option. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** Collects the completion words from the tables of commands and settings. */
export async function listCompletionWords(): Promise<CompletionWords> {
  const all = await loadCommandPaths()
  const values = new Map<string, readonly string[]>()
  for (const { command } of all)
    for (const { flags, choices } of command.options ?? [])
      if (choices)
        for (const name of listOptionNames({ flags }))
          values.set(name, [...new Set([...(values.get(name) ?? []), ...choices])])
  for (const [name, { kind }] of Object.entries(settingDefinitions) as [string, SettingDefinition<unknown>][])
    if (kind.known && !kind.flag) values.set(`--${name}`, kind.known)
  const paths = all.map(({ path, command }) => ({
    path,
    names: (command.commands ?? []).map(({ name }) => name),
    options: [...(command.options ?? []), ...globalOptions].flatMap(listOptionNames),
  }))
  const first = { path: [], names: [...commands.map(({ name }) => name), 'help'], options: ['--help', '--version'] }
  const help = { path: ['help'], names: commands.map(({ name }) => name), options: [] }
  return { paths: [first, help, ...paths], settings: listSettingOptions(), values }
}

function listOptionNames({ flags }: Pick<Option, 'flags'>): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

function listSettingOptions(): readonly string[] {
  const all = Object.entries(settingDefinitions) as [string, SettingDefinition<unknown>][]
  const used = all.filter(([, { unused }]) => unused === undefined)
  return [
    '--help',
    '--version',
    ...used.flatMap(([name, { kind }]) => (kind.flag ? [`--${name}`, `--no-${name}`] : [`--${name}`])),
  ]
}
