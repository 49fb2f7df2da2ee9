import { definitions } from '../settings/definitions/index.ts'
import { loadSettings, printSetting, type RunMode, type SettingName } from '../settings/settings.ts'
import type { Command } from './command.ts'

/** `plumb config` */
export const config: Command = {
  name: 'config',
  summary: 'Shows settings: what they are and what they mean.',
  commands: [
    {
      name: 'print',
      summary: 'Prints the values of settings.',
      description: `Prints the value of one setting alone, of several or all as 'name = value'.

  plumb config print certname
  plumb config print --section agent server runinterval`,
      usage: '[names...]',
      options: [
        { flags: '--section <name>', doc: 'main, server, agent or user', default: 'main' },
        { flags: '--render-as <format>', doc: 'json' },
      ],
      async run({ args, options, settings: given, io }) {
        const section = String(options.section)
        const runMode = section === 'main' ? 'user' : (section as RunMode)
        const settings = loadSettings({ given, runMode })
        const all = Object.keys(definitions).sort() as SettingName[]
        const names = args.length === 0 || args[0] === 'all' ? all : (args as SettingName[])
        const unknown = names.filter((name) => !Object.hasOwn(definitions, name))
        const values = names
          .filter((name) => !unknown.includes(name))
          .map((name) => [name, printSetting(settings, name)])
        if (options.renderAs === 'json') io.out(`${JSON.stringify(Object.fromEntries(values), null, 2)}\n`)
        else if (names.length === 1) io.out(values.map(([, value]) => `${value}\n`).join(''))
        else io.out(values.map(([name, value]) => `${name} = ${value}\n`).join(''))
        for (const name of unknown) io.err(`Error: Could not find setting '${name}'\n`)
        return unknown.length > 0 ? 1 : 0
      },
    },
    {
      name: 'explain',
      summary: 'Says what settings are for, and their defaults.',
      usage: '[names...]',
      async run({ args, io }) {
        const names = args.length === 0 ? Object.keys(definitions) : args
        for (const name of names) {
          const definition = definitions[name as SettingName]
          if (!definition) {
            io.err(`Error: Could not find setting '${name}'\n`)
            return 1
          }
          io.out(
            `${name}: ${definition.doc}\n  takes ${definition.kind.expects}; default: ${definition.default || 'none'}\n`,
          )
        }
        return 0
      },
    },
  ],
}
