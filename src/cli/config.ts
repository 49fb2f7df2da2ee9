import { printable } from '../base/printable.ts'
import { didYouMean } from '../base/suggest.ts'
import { definitions } from '../settings/definitions/index.ts'
import {
  loadSettings,
  printSetting,
  type RunMode,
  type SettingName,
  type Settings,
  settingNamed,
} from '../settings/settings.ts'
import { type Command, defineCommand, type Io } from './command.ts'
import { renderAs } from './options.ts'
import { say } from './say.ts'

/** `plumb config` */
export const config: Command = {
  name: 'config',
  summary: 'Shows settings: what they are and what they mean.',
  commands: [
    defineCommand({
      name: 'print',
      summary: 'Prints the values of settings.',
      description: `Prints the value of one setting alone, of several or all as 'name = value'.

  plumb config print certname
  plumb config print --section agent server runinterval`,
      usage: '[names...]',
      options: [{ flags: '--section <name>', doc: 'main, server, agent or user', default: 'main' }, renderAs],
      async run({ args, options, settings: given, io }) {
        const settings = loadSettings({ given, runMode: runModeOf(options.section, io) })
        return printSettings(settings, args, io, options.renderAs === 'json')
      },
    }),
    {
      name: 'explain',
      summary: 'Says what settings are for, and their defaults.',
      usage: '[names...]',
      async run({ args, io }) {
        const names = args.length === 0 ? Object.keys(definitions) : args
        for (const name of names) {
          const setting = settingNamed(name)
          if (!setting) {
            sayUnknown(name, io)
            return 1
          }
          const definition = definitions[setting]
          io.out(
            `${name}: ${definition.doc}\n  takes ${definition.kind.expects}; default: ${definition.default || 'none'}\n`,
          )
        }
        return 0
      },
    },
  ],
}

const sections = ['main', 'server', 'agent', 'user'] as const

/** The run mode whose section is read; an unknown section has no settings, and is warned of. */
function runModeOf(section: string, io: Io): RunMode {
  const known = sections.find((each) => each === section || (each === 'server' && section === 'master'))
  const hint = didYouMean(section, sections) ?? `There are ${sections.join(', ')}.`
  if (!known) say('Warning', `Section '${printable(section)}' is not known; values are those of main`, io, hint)
  return known === undefined || known === 'main' ? 'user' : known
}

function sayUnknown(name: string, io: Io): void {
  const hint = didYouMean(name, Object.keys(definitions))
  say('Error', `Could not find setting '${printable(name)}'`, io, hint)
}

/** Prints the value of one setting alone, of several or all as `name = value`; answers the exit status. */
export function printSettings(settings: Settings, given: readonly string[], io: Io, asJson = false): number {
  const all = Object.keys(definitions).sort() as SettingName[]
  const names = given.length === 0 || given[0] === 'all' ? all : given
  const unknown = names.filter((name) => settingNamed(name) === undefined)
  const values = names.flatMap((name) => {
    const setting = settingNamed(name)
    return setting ? [[name, printSetting(settings, setting)]] : []
  })
  if (asJson) io.out(`${JSON.stringify(Object.fromEntries(values), null, 2)}\n`)
  else if (names.length === 1) io.out(values.map(([, value]) => `${value}\n`).join(''))
  else io.out(values.map(([name, value]) => `${name} = ${value}\n`).join(''))
  for (const name of unknown) sayUnknown(name, io)
  return unknown.length > 0 ? 1 : 0
}

/** Prints all settings as a puppet.conf with what each is for. */
export function printConfiguration(settings: Settings, section: string, io: Io): number {
  const parts = (Object.keys(definitions).sort() as SettingName[]).map((name) => {
    const { doc, default: standard } = definitions[name]
    return `    # ${doc}\n    # The default value is '${standard}'.\n    # ${name} = ${printSetting(settings, name)}\n`
  })
  io.out(`[${section}]\n${parts.join('\n')}`)
  return 0
}
