import { dirname, join, resolve } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { exitCodes, loadCaSettings } from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [{ flags: '--to <directory>', doc: 'New directory. Default: $confdir/puppetserver/ca.' }] as const

/** The command `plumb ca migrate`. */
export const caMigrateCommand: CliCommand = {
  name: 'migrate',
  summary: 'Move the CA directory, and leave a symbolic link in its place.',
  description: `Use this command for a CA in $ssldir/ca, the default of Puppet 6, which is lost if the ssl directory is deleted. Stop
the server first. The setting cadir can stay unchanged, because the link points to the new directory.

  plumb ca migrate --cadir /etc/puppetlabs/puppet/ssl/ca --to /etc/puppetlabs/puppetserver/ca`,
  options,
  run: runCaMigrate,
}

async function runCaMigrate(invocation: CommandInvocation<typeof options>): Promise<number> {
  const { cadir: from, confdir } = loadCaSettings(invocation)
  const to = resolve(invocation.options.to ?? join(confdir, 'puppetserver', 'ca'))
  const { files } = localSystem
  if (await files.stat(to)) throwIssue(caIssues.MIGRATION_DONE, { path: to })
  if ((await files.stat(from))?.kind !== 'directory') throwIssue(caIssues.NO_CA_DIRECTORY, { path: from })
  await files.makeDirectory(dirname(to), 0o755)
  await files.rename(from, to)
  await files.link(to, from)
  invocation.io.out(
    `CA dir successfully migrated to ${to}. Symlink placed at ${from}\nfor backwards compatibility. The puppetserver can be safely restarted now.\n`,
  )
  return exitCodes.done
}
