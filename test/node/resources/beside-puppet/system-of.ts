import { existsSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import type { Commands, Files, System } from '../../../../src/machine/system/system.ts'
import type { ApplyCase, Place } from './apply-case.ts'

/** Files of entries that providers take for the machine's, where a case has any of its own. */
const records = ['/etc/hosts', '/etc/aliases', '/etc/fstab', '/etc/ssh/ssh_known_hosts']

const recordTypes = /\b(?:host|mailalias|mount|sshkey|resources)\s*\{/i

/** True of a case whose entries of text files are in its folder, not those of the machine. */
export function hasRecords({ files = {}, manifest }: ApplyCase): boolean {
  return Object.keys(files).some((path) => path.startsWith('etc/')) || recordTypes.test([manifest].flat().join('\n'))
}

/** True of a case whose machine has SELinux: files `mounts`, `policy`, `contexts` in a folder `selinux`. */
const hasSelinux = ({ files = {} }: ApplyCase): boolean => 'selinux/mounts' in files

/** True of a case that has a first process of its own, named in a file `comm`. */
const hasFirstProcess = ({ files = {} }: ApplyCase): boolean => 'comm' in files

/** This machine, with what a case has in place of its own: programs, files of entries, all of /etc. */
export function systemOf(each: ApplyCase, { folder, bin, etc }: Place): System {
  let { files, commands } = localSystem
  if (bin !== undefined) commands = commandsOf(commands, bin)
  if (hasRecords(each)) files = moved(files, (path) => (records.includes(path) ? join(folder, path) : path))
  if (hasSelinux(each))
    files = moved(files, (path) => (path === '/proc/self/mounts' ? join(folder, 'selinux/mounts') : path))
  if (hasFirstProcess(each)) files = moved(files, (path) => (path === '/proc/1/comm' ? join(folder, 'comm') : path))
  if (etc !== undefined) {
    files = moved(files, (path) => (path.startsWith('/etc/') ? join(etc, path.slice('/etc/'.length)) : path))
    commands = within(commands, etc)
  }
  return { ...localSystem, files, commands }
}

/** Programs of a folder before those of the machine, by their whole path, too. */
function commandsOf(commands: Commands, bin: string): Commands {
  const path = `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`
  const inPlace = (name: string) => {
    const own = join(bin, basename(name))
    return isAbsolute(name) && existsSync(own) ? own : name
  }
  return {
    find: (name) => commands.find(inPlace(name), path),
    run: ([program = '', ...words], options) =>
      commands.run([inPlace(program), ...words], { ...options, env: { PATH: path, ...options?.env } }),
  }
}

/** Programs that see a folder at /etc. */
function within(commands: Commands, etc: string): Commands {
  const enter = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc && exec "$@"', etc]
  return { ...commands, run: (words, options) => commands.run([...enter, ...words], options) }
}

function moved(files: Files, place: (path: string) => string): Files {
  const entries = Object.entries(files).map(([name, work]) => [
    name,
    (first: unknown, ...more: unknown[]) =>
      (work as (...all: unknown[]) => unknown)(typeof first === 'string' ? place(first) : first, ...more),
  ])
  return Object.fromEntries(entries) as unknown as Files
}
