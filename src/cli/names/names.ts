import { join, resolve } from 'node:path'
import { defineIssues, errorOf, fail } from '../../base/issue.ts'
import { builtScript } from '../../base/threads/built-script.ts'
import { localFiles } from '../../machine/system/files.ts'
import { type Command, defineCommand, type Io } from '../command/command.ts'
import { sayError } from '../command/say.ts'
import { names as all } from './called-as.ts'
import { isFolder, makeLink, occupantOf, replaceByLink } from './links.ts'

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

/** `plumb names` */
export const names: Command = {
  name: 'names',
  summary: 'Install `puppet`, `facter` and `hiera` as aliases for `plumb`.',
  description: `Creates symbolic links to this program. Called by one of these names, it accepts the command line of that program
('facter os.family', 'hiera KEY', 'puppet facts', 'puppet cert sign NAME', 'puppetserver ca list') and uses the
directories of Puppet's packages: /etc/puppetlabs/puppet, /etc/puppetlabs/code, /opt/puppetlabs/puppet/cache and
/var/log/puppetlabs, or those in ~/.puppetlabs for users other than root. 'puppet --version' prints the version of
Puppet whose language and protocol are implemented. PLUMB_FOLDERS=puppet selects these directories for 'plumb' also.

  plumb names install /usr/local/bin
  plumb names install /usr/local/bin puppetserver
  plumb names remove /usr/local/bin

Exits with 0, or with 1 if another file exists at the path of a link.`,
  commands: [
    defineCommand({
      name: 'install',
      summary: 'Create the links puppet, facter and hiera, or the named ones, in a directory.',
      usage,
      options: [{ flags: '--force', doc: 'Replace a file that is not a link to plumb.' }],
      run: ({ args, options, io }) => eachName(args, standard, io, (path) => install(path, options.force === true, io)),
    }),
    defineCommand({
      name: 'remove',
      summary: 'Remove links to this program from a directory.',
      usage,
      run: ({ args, io }) => eachName(args, all, io, (path) => remove(path, io)),
    }),
  ],
}

/** The script to which links point. */
const program = builtScript(new URL('../../main.js', import.meta.url))

/** Calls `work` for each name, and continues after printing errors. */
async function eachName(
  [folder = '', ...given]: readonly string[],
  standard: readonly string[],
  io: Io,
  work: (path: string) => Promise<void>,
): Promise<number> {
  if (!isFolder(folder)) fail(issues.NAMES_FOLDER, { path: folder })
  const unknown = given.find((name) => !all.some((each) => each === name))
  if (unknown !== undefined) fail(issues.NOT_A_NAME, { name: unknown })
  let status = 0
  for (const name of given.length > 0 ? given : standard)
    try {
      await work(join(resolve(folder), name))
    } catch (error) {
      sayError(error, io)
      status = 1
    }
  return status
}

async function install(path: string, isForced: boolean, io: Io): Promise<void> {
  switch (occupantOf(path, program)) {
    case 'this program':
      return io.out(`${path} already exists\n`)
    case 'nothing':
      if (!(await makeLink(path, program))) fail(issues.NAME_TAKEN, { path })
      break
    case 'ours':
      await replaceByLink(path, program)
      break
    case 'other':
      if (!isForced) fail(issues.NAME_TAKEN, { path })
      await replaceByLink(path, program)
      break
    case 'a folder':
      throw errorOf(issues.NAME_IS_FOLDER, { path })
  }
  io.out(`${path} -> ${program}\n`)
}

async function remove(path: string, io: Io): Promise<void> {
  const occupant = occupantOf(path, program)
  if (occupant === 'nothing') return
  if (occupant !== 'this program' && occupant !== 'ours') fail(issues.NAME_NOT_OURS, { path })
  await localFiles.remove(path)
  io.out(`${path} removed\n`)
}
