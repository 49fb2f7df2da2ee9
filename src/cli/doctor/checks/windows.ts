import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { release, tmpdir, version } from 'node:os'
import { join } from 'node:path'
import { isFolderProtected } from '../../../machine/windows/folder-protection.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import { isPrivileged } from '../../../machine/windows/privilege.ts'
import { getSystemProgram, programData, systemRoot } from '../../../machine/windows/system-programs.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check, Installation } from '../installation.ts'

const faults = defineFaults('windows', {
  TOOL_MISSING: {
    severity: 'warning',
    what: (a: { program: string; purpose: string }) => `Windows has no ${a.program}`,
    why: 'The program is part of Windows, and the agent uses it for services, tasks, access lists or the event log.',
    fix: (a) => `Without it, do not use ${a.purpose}.`,
  },
  NOT_ELEVATED: {
    severity: 'warning',
    what: () => 'This process does not have the rights of an administrator',
    why: 'The agent uses the folders of the user, and can change only what the user can change.',
    fix: () => 'Run the command from a terminal that was started with "Run as administrator".',
  },
  FOLDER_OPEN: {
    severity: 'error',
    what: (a: { path: string }) => `Other users than administrators have access to ${a.path}`,
    why: 'They can read private keys, or add settings and plug-ins that the agent runs as SYSTEM.',
    fix: () =>
      "Run 'plumb service protect' as an administrator. It renames the folder: copy back the files that you have checked.",
  },
  FOLDER_UNKNOWN: {
    severity: 'warning',
    what: (a: { path: string }) => `Could not read the access list of ${a.path}`,
    why: 'Other users may be able to read private keys.',
    fix: (a) => `Run 'icacls "${a.path}"'.`,
  },
  COMMANDS_FAIL: {
    severity: 'error',
    what: (a: { why: string }) => `cmd.exe cannot be run: ${a.why}`,
    why: 'Resources of the type exec and batch files of facts do not work.',
    fix: () => 'Check the policies of this machine for programs (AppLocker, antivirus).',
  },
  NAMES_CHANGE: {
    severity: 'error',
    what: (a: { name: string }) => `A file with the name ${a.name} cannot be written`,
    why: 'Files with such names in catalogs cannot be managed.',
    fix: () => 'Report this result, with the file system of the folder of temporary files.',
  },
})

/** Programs of Windows with the features that need them. */
const tools: Readonly<Record<string, string>> = {
  'cmd.exe': 'exec',
  'eventcreate.exe': 'logdest eventlog',
  'icacls.exe': 'acl, and owner, group and mode of files',
  'net.exe': 'user and group',
  'reg.exe': 'registry_key and registry_value',
  'sc.exe': 'service',
  'schtasks.exe': 'scheduled_task and plumb service',
  'shutdown.exe': 'reboot',
  'taskkill.exe': 'timeouts of exec',
  'tasklist.exe': 'two agents at the same time',
  'WindowsPowerShell/v1.0/powershell.exe': 'facts in .ps1 files, and facts of hardware',
}

/** Checks the tools, rights and file names of Windows; has no findings on other systems. */
export const windowsCheck: Check = {
  name: 'windows',
  doc: 'on Windows: programs, rights, access lists, commands, file names; details in JSON',
  async run(installation) {
    if (!isWindows) return []
    const { missing, elevated, folders, command, names } = await examine(installation)
    const findings: DoctorFinding[] = missing.map((program) =>
      faults.TOOL_MISSING({ program, purpose: tools[program] ?? '' }),
    )
    if (!elevated) findings.push(faults.NOT_ELEVATED(undefined))
    for (const [path, state] of Object.entries(folders)) {
      if (state === 'open') findings.push(faults.FOLDER_OPEN({ path }))
      if (state === 'unknown') findings.push(faults.FOLDER_UNKNOWN({ path }))
    }
    if (command !== 'works') findings.push(faults.COMMANDS_FAIL({ why: command }))
    for (const [name, state] of Object.entries(names))
      if (state !== 'works') findings.push(faults.NAMES_CHANGE({ name }))
    return findings
  },
  async describe(installation) {
    return isWindows ? { ...(await examine(installation)) } : {}
  },
}

async function examine({ system }: Pick<Installation, 'system'>) {
  const present = await Promise.all(Object.keys(tools).map(async (name) => [name, await exists(name)] as const))
  const run = (words: readonly string[]) => system.commands.run([getSystemProgram('cmd.exe'), '/d', '/c', ...words])
  const elevated = isPrivileged()
  const { status } = await run(['exit', '7'])
  return {
    version: version(),
    release: release(),
    node: `${process.version} ${process.arch}`,
    systemRoot,
    programData,
    codePage: /\d+/.exec((await run(['chcp'])).output)?.[0] ?? 'unknown',
    elevated,
    missing: present.flatMap(([name, isPresent]) => (isPresent ? [] : [name])),
    folders: await examineFolders(elevated),
    command: status === 7 ? 'works' : `exit status ${status} instead of 7`,
    names: await examineNames(),
  }
}

const exists = (program: string) =>
  access(getSystemProgram(program)).then(
    () => true,
    () => false,
  )

/** States of the folders that only administrators may have access to. Only an administrator can read their lists. */
async function examineFolders(elevated: boolean): Promise<Readonly<Record<string, string>>> {
  const folder = `${programData}/Plumbline`
  const isThere = await readdir(folder).catch(() => undefined)
  if (!elevated || isThere === undefined) return {}
  const isProtected = await isFolderProtected(folder)
  return { [folder]: isProtected === undefined ? 'unknown' : isProtected ? 'protected' : 'open' }
}

/** Writes files with names of other languages and a long path below the folder of temporary files. */
async function examineNames(): Promise<Readonly<Record<string, string>>> {
  const folder = await mkdtemp(join(tmpdir(), 'plumb-doctor-'))
  const long = 'x'.repeat(200)
  try {
    const states: Record<string, string> = {}
    for (const [label, name] of [
      ['äöü', 'äöü.txt'],
      ['日本', '日本.txt'],
      ['of 200 characters', long],
    ] as const) {
      const isWritten = await writeFile(join(folder, name), '').then(
        async () => (await readdir(folder)).includes(name),
        () => false,
      )
      states[label] = isWritten ? 'works' : 'fails'
    }
    return states
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
