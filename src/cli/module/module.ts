import type { CliCommand } from '../command/command.ts'
import { buildCommand } from './build.ts'
import { changesCommand, installCommand, uninstallCommand, upgradeCommand } from './change-commands.ts'
import { checkCommand } from './check.ts'
import { listCommand } from './list.ts'
import { newCommand } from './new.ts'
import { searchCommand } from './search.ts'

/** The command `plumb module`. */
export const moduleCommand: CliCommand = {
  name: 'module',
  summary: 'Create, check, build, install, upgrade and list modules.',
  description: `Manages modules in directories, with the Forge in module_repository or a mirror of it, and helps to write them.

  plumb module new acme-web
  plumb module install puppetlabs-ntp
  plumb module list --tree`,
  commands: [
    listCommand,
    installCommand,
    upgradeCommand,
    uninstallCommand,
    searchCommand,
    changesCommand,
    newCommand,
    checkCommand,
    buildCommand,
  ],
}
