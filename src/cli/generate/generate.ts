import { existsSync } from 'node:fs'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { findEnvironmentFolder } from '../input/code-source.ts'

/** The command `plumb generate`. */
export const generateTypesCommand: CliCommand = {
  name: 'generate',
  summary: "Accept the commands of 'puppet generate', for compatibility.",
  commands: [
    defineCommand({
      name: 'types',
      summary: 'Report that resource types need no generated files.',
      description: `Puppet Server needs files in .resource_types to isolate the types of environments. This server loads the types of each
commit separately and needs no files. The command exists so that deployment scripts which call it succeed.

  plumb generate types --environment production`,
      options: [
        { flags: '--format <format>', doc: 'Accepted for compatibility.', choices: ['pcore'], default: 'pcore' },
        { flags: '--force', doc: 'Accepted for compatibility.' },
      ],
      async run({ settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'server' })
        const folder = settings.code_repo === '' ? findEnvironmentFolder(settings.environment, settings) : undefined
        if (folder !== undefined && existsSync(`${folder}/.resource_types`))
          printMessage(
            'Warning',
            `${folder}/.resource_types is not read`,
            io,
            'Remove the directory if no Puppet Server uses it.',
          )
        io.out('Nothing to generate: the types of each environment are loaded separately.\n')
        return 0
      },
    }),
  ],
}
