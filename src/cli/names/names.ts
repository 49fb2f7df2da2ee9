import { join, resolve } from 'node:path'
import { createPuppetError, defineIssues, throwIssue } from '../../base/issue.ts'
import { programPath } from '../../base/program/program-command.ts'
import { localFiles } from '../../machine/system/files.ts'
import { type CliCommand, defineCommand, type Io } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import { createLink, getOccupant, isExistingFolder, replaceWithLink } from './program-links.ts'
import { programNames as all } from './program-name.ts'

const issues = defineIssues({
  NAMES_FOLDER: {
    text: (a: { path: string }) => `${a.path} is not a directory`,
    hint: () => 'Give a directory in PATH: plumb names install /usr/local/bin',
  },
  NOT_A_NAME: {
    text: (a: { name: string }) => `'${a.name}' is not an alias of this program`,
    hint: () => `Valid names: ${all.join(', ')}.`,
  },
  NAME_TAKEN: {
    text: (a: { path: string }) => `${a.path} exists and is not a link to plumb`,
    hint: () => 'Use --force to replace it.',
  },
  NAME_IS_FOLDER: { text: (a: { path: string }) => `${a.path} is a directory` },
  NAME_NOT_OURS: { text: (a: { path: string }) => `${a.path} is not a link to plumb; it was not removed` },
})

/** Names that are linked by default: the programs of Puppet's agent package. */
const standard = ['puppet', 'facter', 'hiera']

const usage = '<folder> [names...]'

/** The command `plumb names`. */
export const namesCommand: CliCommand = {
  name: 'names',
  summary: 'Install `puppet`, `facter` and `hiera` as aliases for `plumb`.',
  description: `Creates symbolic links to this program. Under one of these names, it accepts the command line of the named program
('facter os.family', 'hiera KEY', 'puppet facts', 'puppet cert sign NAME', 'puppetserver ca list') and uses the
directories of Puppet's packages: /etc/puppetlabs/puppet, /etc/puppetlabs/code, /opt/puppetlabs/puppet/cache and
/var/log/puppetlabs, or those in ~/.puppetlabs for users other than root. 'puppet --version' prints the version of
Puppet whose language and protocol are implemented. With PLUMB_FOLDERS=puppet in the environment, 'plumb'
uses these directories as well.

  plumb names install /usr/local/bin
  plumb names install /usr/local/bin puppetserver
  plumb names remove /usr/local/bin

Exits with 0, or with 1 if another file exists at the path of a link.`,
  commands: [
    defineCommand({
      name: 'install',
      summary: 'Create links in a directory: puppet, facter and hiera, or the given names.',
      usage,
      options: [{ flags: '--force', doc: 'Replace a file that is not a link to plumb.' }],
      run: ({ args, options, io }) =>
        forEachLinkName(args, standard, io, (path) => installLink(path, options.force === true, io)),
    }),
    defineCommand({
      name: 'remove',
      summary: 'Remove links to this program from a directory.',
      usage,
      run: ({ args, io }) => forEachLinkName(args, all, io, (path) => removeLink(path, io)),
    }),
  ],
}

/** Calls `work` for each name, and continues after printing errors. */
async function forEachLinkName(
  [folder = '', ...given]: readonly string[],
  standard: readonly string[],
  io: Io,
  work: (path: string) => Promise<void>,
): Promise<number> {
  if (!isExistingFolder(folder)) throwIssue(issues.NAMES_FOLDER, { path: folder })
  const unknown = given.find((name) => !all.some((each) => each === name))
  if (unknown !== undefined) throwIssue(issues.NOT_A_NAME, { name: unknown })
  let status = 0
  for (const name of given.length > 0 ? given : standard)
    try {
      await work(join(resolve(folder), name))
    } catch (error) {
      printError(error, io)
      status = 1
    }
  return status
}

async function installLink(path: string, isForced: boolean, io: Io): Promise<void> {
  switch (getOccupant(path, programPath)) {
    case 'this program':
      return io.out(`${path} already exists\n`)
    case 'nothing':
      if (!(await createLink(path, programPath))) throwIssue(issues.NAME_TAKEN, { path })
      break
    case 'ours':
      await replaceWithLink(path, programPath)
      break
    case 'other':
      if (!isForced) throwIssue(issues.NAME_TAKEN, { path })
      await replaceWithLink(path, programPath)
      break
    case 'a folder':
      throw createPuppetError(issues.NAME_IS_FOLDER, { path })
  }
  io.out(`${path} -> ${programPath}\n`)
}

async function removeLink(path: string, io: Io): Promise<void> {
  const occupant = getOccupant(path, programPath)
  if (occupant === 'nothing') return
  if (occupant !== 'this program' && occupant !== 'ours') throwIssue(issues.NAME_NOT_OURS, { path })
  await localFiles.remove(path)
  io.out(`${path} removed\n`)
}
