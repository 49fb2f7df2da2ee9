import { join } from 'node:path'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { openGemInstaller } from '../../node/gems/configured-gems.ts'
import { GemDirectory } from '../../node/gems/gem-directory.ts'
import { parseRequirements } from '../../node/gems/gem-requirement.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'

const updateOptions = [
  { flags: '--version <requirement>', doc: "Version of the gem facterdb, or bounds: '~> 2.1'." },
  { flags: '--source <url>', doc: 'Gem server, instead of gem_sources; may be repeated.', repeated: true },
] as const

/** The directory of gems that contains only FacterDB. */
export function getFacterDbFolder({ vardir }: Pick<Settings, 'vardir'>): string {
  return join(vardir, 'facterdb')
}

/** The command `plumb facts db`. */
export const factsDbCommand: CliCommand = {
  name: 'db',
  summary: 'Manage the facts of operating systems for tests.',
  description: `Manages FacterDB in $vardir/facterdb: facts of operating systems, which 'plumb test' gives to nodes.

  plumb facts db update`,
  commands: [
    defineCommand({
      name: 'update',
      summary: 'Install the newest FacterDB.',
      description: `Installs the gem facterdb without its dependencies, for 'plumb test' alone. The highest installed version is used. An
interrupted update leaves the earlier version unchanged.

  plumb facts db update
  plumb facts db update --version '~> 2.1'

Exits with 0, or with 1 if FacterDB was not installed.`,
      options: updateOptions,
      async run({ options, settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'user' })
        const installer = openGemInstaller(settings, new GemDirectory(getFacterDbFolder(settings)), options.source)
        try {
          const installed = await installer.install('facterdb', {
            ...(options.version !== undefined && { requirements: parseRequirements(options.version) }),
            ignoresDependencies: true,
            fetching: (file) => io.err(`Fetching ${file}\n`),
          })
          for (const { version } of installed) io.out(`Installed FacterDB ${version}\n`)
          if (installed.length === 0) io.out('FacterDB is up to date\n')
          return 0
        } finally {
          await installer.close()
        }
      },
    }),
  ],
}
