import type { Command } from '../command/command.ts'
import { deleting } from './delete.ts'
import { enable } from './enable.ts'
import { generate } from './generate.ts'
import { list } from './list.ts'
import { migrate } from './migrate.ts'
import { prune } from './prune.ts'
import { renew } from './renew.ts'
import { clean, revoke } from './revoke.ts'
import { importing, setup } from './setup.ts'
import { sign } from './sign.ts'

/** `plumb ca` */
export const ca: Command = {
  name: 'ca',
  summary: 'Manage the certificate authority.',
  description: `Reads and writes the files of the CA in cadir. The server may be running or stopped.

  plumb ca list --all
  plumb ca sign web1.example.com web2.example.com
  plumb ca sign --certname web1.example.com,web2.example.com    # the same, in the syntax of Puppet Server
  plumb ca clean web1.example.com

Exits with 0, or with 1 if an action failed for one of the names. The help of each action explains its exit status 24.`,
  commands: [setup, importing, list, sign, revoke, clean, generate, renew, deleting, prune, enable, migrate],
}
