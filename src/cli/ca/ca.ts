import type { CliCommand } from '../command/command.ts'
import { deleteCommand } from './delete.ts'
import { enableCommand } from './enable.ts'
import { generateCommand } from './generate.ts'
import { listCommand } from './list.ts'
import { caMigrateCommand } from './migrate.ts'
import { prune } from './prune.ts'
import { renew } from './renew.ts'
import { cleanCommand, revoke } from './revoke.ts'
import { exportCommand, importCommand, setup } from './setup.ts'
import { sign } from './sign.ts'

/** The command `plumb ca`. */
export const caCommand: CliCommand = {
  name: 'ca',
  summary: 'Manage the certificate authority.',
  description: `Reads and writes the CA in cadir, or in the database that ca_store names. The server may be running or stopped.

  plumb ca list --all
  plumb ca sign web1.example.com web2.example.com
  plumb ca sign --certname web1.example.com,web2.example.com    # the same, in the syntax of Puppet Server
  plumb ca clean web1.example.com

Exits with 0, or with 1 if an action failed for one of the names. The help of each action explains its exit status 24.`,
  commands: [
    setup,
    importCommand,
    exportCommand,
    listCommand,
    sign,
    revoke,
    cleanCommand,
    generateCommand,
    renew,
    deleteCommand,
    prune,
    enableCommand,
    caMigrateCommand,
  ],
}
