import { dirname, join, resolve } from 'node:path'
import { fail } from '../../base/issue.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Command, Invocation } from '../command/command.ts'
import { exitCodes, settingsOf } from './asked.ts'
import { issues } from './issues.ts'

const options = [
  { flags: '--to <directory>', doc: 'Where it goes; $confdir/puppetserver/ca when nothing is said.' },
] as const

/** `plumb ca migrate` */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Moves the folder of the authority, and leaves a link in its place.',
  description: `For an authority in $ssldir/ca, as Puppet 6 had it: within the ssl folder it is gone when somebody cleans that up.
Stop the server first. The setting cadir may stay: the link leads on.

  plumb ca migrate --cadir /etc/puppetlabs/puppet/ssl/ca --to /etc/puppetlabs/puppetserver/ca`,
  options,
  run,
}

async function run(invocation: Invocation<typeof options>): Promise<number> {
  const { cadir: from, confdir } = settingsOf(invocation)
  const to = resolve(invocation.options.to ?? join(confdir, 'puppetserver', 'ca'))
  const { files } = localSystem
  if (await files.stat(to)) fail(issues.MIGRATION_DONE, { path: to })
  if ((await files.stat(from))?.kind !== 'directory') fail(issues.NO_CA_DIRECTORY, { path: from })
  await files.makeDirectory(dirname(to), 0o755)
  await files.rename(from, to)
  await files.link(to, from)
  invocation.io.out(
    `CA dir successfully migrated to ${to}. Symlink placed at ${from}\nfor backwards compatibility. The puppetserver can be safely restarted now.\n`,
  )
  return exitCodes.done
}
