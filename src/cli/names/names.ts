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
    text: (a: { path: string }) => `${a.path} is not a folder`,
    hint: () => 'Name one of the PATH: plumb names install /usr/local/bin',
  },
  NOT_A_NAME: {
    text: (a: { name: string }) => `'${a.name}' is no name that this program answers to`,
    hint: () => `There are ${all.join(', ')}.`,
  },
  NAME_TAKEN: {
    text: (a: { path: string }) => `${a.path} is not ours, and stays`,
    hint: () => 'With --force the link takes its place.',
  },
  NAME_IS_FOLDER: { text: (a: { path: string }) => `${a.path} is a folder, and stays` },
  NAME_NOT_OURS: { text: (a: { path: string }) => `${a.path} is not ours, and stays` },
})

/** Names that are linked where none is named: those that an agent's machine knows. */
const standard = ['puppet', 'facter', 'hiera']

const usage = '<folder> [names...]'

/** `plumb names` */
export const names: Command = {
  name: 'names',
  summary: 'Install `puppet`, `facter` and `hiera` as aliases for `plumb`.',
  description: `Makes links to this program. Called by one of those names it is what the name says: it takes the folders of Puppet's
packages (/etc/puppetlabs/puppet, /etc/puppetlabs/code, /opt/puppetlabs/puppet/cache, /var/log/puppetlabs; for other
users than root those of ~/.puppetlabs), and their words: 'facter os.family', 'hiera KEY', 'puppet facts',
'puppet cert sign NAME', 'puppetserver ca list'. 'puppet --version' is the version of Puppet whose language and protocol
are spoken. PLUMB_FOLDERS=puppet takes those folders under our own name, too.

  plumb names install /usr/local/bin
  plumb names install /usr/local/bin puppetserver
  plumb names remove /usr/local/bin

The exit status is 0, or 1 when a name is taken by something else.`,
  commands: [
    defineCommand({
      name: 'install',
      summary: 'Makes links in a folder: puppet, facter and hiera, or those that are named.',
      usage,
      options: [{ flags: '--force', doc: 'In place of a file that is not ours.' }],
      run: ({ args, options, io }) => eachName(args, standard, io, (path) => install(path, options.force === true, io)),
    }),
    defineCommand({
      name: 'remove',
      summary: 'Removes links to this program from a folder; nothing else.',
      usage,
      run: ({ args, io }) => eachName(args, all, io, (path) => remove(path, io)),
    }),
  ],
}

/** This program, as links name it. */
const program = builtScript(new URL('../../main.js', import.meta.url))

/** Does one name after the other; what is wrong with one is said, and is no reason to leave out the next. */
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
      return io.out(`${path} is there\n`)
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
