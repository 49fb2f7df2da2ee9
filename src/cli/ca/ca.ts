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
  description: `Works on the files of the authority (the setting cadir), beside a running server or without one.

  plumb ca list --all
  plumb ca sign web1.example.com web2.example.com
  plumb ca sign --certname web1.example.com,web2.example.com    # the same, as Puppet Server has it
  plumb ca clean web1.example.com

The exit status is 0, or 1 when something could not be done for one of the names; 24 as each action says.`,
  commands: [setup, importing, list, sign, revoke, clean, generate, renew, deleting, prune, enable, migrate],
}
