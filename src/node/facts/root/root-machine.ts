import { realpath } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { createConfinedFiles } from '../../../machine/system/confined-files.ts'
import { ignoreAbsentPath } from '../../../machine/system/files.ts'
import type { Commands, Files } from '../../../machine/system/system.ts'
import { parseAssignments } from '../core/os/os-release.ts'
import type { FactLog } from '../log.ts'
import { createMachine, type Machine } from '../machine.ts'
import { parseElfHardware } from './elf.ts'

const issues = defineIssues({
  ROOT_MISSING: {
    text: (a: { root: string }) => `The directory '${a.root}' does not exist`,
    hint: () => 'Mount the image, or unpack the archive of the root file system, and give that directory.',
  },
  ROOT_INVALID: {
    text: (a: { root: string }) => `'${a.root}' is not the root of a file system: it contains no directory etc`,
    hint: () => 'Give the directory that contains etc and usr.',
  },
  ROOT_PROGRAM: { text: (a: { command: string }) => `${a.command} is not executed: it belongs to a root directory` },
})

/**
 * A machine that is only a root directory, such as a mounted image. Files are read as after
 * chroot(2), no program runs, and the user is root. Nothing outside of the directory is read.
 * Throws ROOT_MISSING, ROOT_INVALID.
 */
export async function createRootMachine(root: string, log: FactLog): Promise<Machine> {
  const path = await ignoreAbsentPath(() => realpath(root))
  if (path === undefined) throwIssue(issues.ROOT_MISSING, { root })
  const files = createConfinedFiles(path)
  if ((await files.list('/etc')) === undefined) throwIssue(issues.ROOT_INVALID, { root })
  return createMachine(
    { files, commands: createRootCommands(files, log), now: Date.now },
    {
      kernel: 'Linux',
      kernelRelease: '',
      hardware: (await readHardware(files)) ?? '',
      hostname: '',
      variables: {},
      user: { uid: 0, gid: 0 },
      addresses: () => [],
      space: async () => undefined,
      output: async ([program]) => (program === 'lsb_release' ? formatLsbRelease(files) : ''),
    },
  )
}

/** Programs of a root directory do not run. An executable external fact is logged. */
function createRootCommands(files: Files, log: FactLog): Commands {
  return {
    async find(name) {
      const stat = name.startsWith('/') ? await files.stat(name) : undefined
      if (stat?.kind === 'file' && (stat.mode & 0o111) !== 0) log('warn', `External fact ${name} is not executed`)
      return undefined
    },
    run: async ([command = '']) => throwIssue(issues.ROOT_PROGRAM, { command }),
  }
}

/** Programs of every distribution, of which one shows the hardware for which the system is compiled. */
const programs = ['/bin/sh', '/usr/bin/env', '/sbin/init', '/bin/busybox', '/usr/lib/systemd/systemd']

async function readHardware(files: Files): Promise<string | undefined> {
  for (const program of programs) {
    const parts = await files.readParts(program).catch(() => undefined)
    for await (const head of parts ?? []) {
      const hardware = parseElfHardware(head)
      if (hardware !== undefined) return hardware
      break
    }
  }
  return undefined
}

/** Labels of `lsb_release -a` by the variables of /etc/lsb-release. */
const labels: Readonly<Record<string, string>> = {
  distrib_id: 'Distributor ID',
  distrib_description: 'Description',
  distrib_release: 'Release',
  distrib_codename: 'Codename',
}

/** The output of `lsb_release -a`, as far as /etc/lsb-release determines it; empty if the program is not installed. */
async function formatLsbRelease(files: Files): Promise<string> {
  if ((await files.stat('/usr/bin/lsb_release')) === undefined) return ''
  const values = parseAssignments((await files.readText('/etc/lsb-release').catch(() => undefined)) ?? '')
  const rows = Object.entries(labels).filter(([name]) => Object.hasOwn(values, name))
  return rows.map(([name, label]) => `${label}:\t${values[name]}\n`).join('')
}
