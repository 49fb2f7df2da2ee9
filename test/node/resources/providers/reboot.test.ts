import { expect, it } from 'vitest'
import { toSlashes } from '../../../../src/machine/windows/machine-path.ts'
import { MachineRestart } from '../../../../src/node/resources/providers/reboot/machine-restart.ts'
import { recordingSystem } from '../recording-system.ts'
import { modulesWith, saysOf } from '../says-of.ts'
import { formatScriptLines, readScript, windowsFacts, windowsSystem } from '../windows-tools.ts'

const modules = modulesWith({ reboot: ['when', 'onlyif', 'unless', 'apply', 'message', 'timeout', 'provider'] })

/** Keys of the registry as `reg.exe export` writes them below their root. */
type Keys = Readonly<Record<string, string>>

const controlSet = 'SYSTEM\\CurrentControlSet'
const names = `${controlSet}\\Control\\ComputerName`

/** A Windows with these keys; `classes` are methods of WMI that report a pending restart. */
function machineWith(keys: Keys, classes: readonly string[] = []) {
  const texts: Record<string, string> = {}
  const find = (path = '') =>
    Object.entries(keys).find(([key]) => path.toLowerCase() === `hkey_local_machine\\${key}`.toLowerCase())
  return windowsSystem(
    {
      'reg.exe'([verb, path, file = '']) {
        const found = find(path)
        if (!found) return { status: 1, stderr: 'ERROR: The system was unable to find the specified registry key.' }
        if (verb === 'export') {
          const text = `Windows Registry Editor Version 5.00\r\n\r\n[${path}]\r\n${found[1]}\r\n`
          texts[toSlashes(file)] = Buffer.from(text, 'utf16le').toString('latin1')
        }
        return ''
      },
      'powershell.exe': (words, input) => {
        const { script } = readScript(words, input)
        return formatScriptLines(classes.some((each) => script.includes(each)) ? 'True' : 'False')
      },
      'shutdown.exe': () => '',
    },
    texts,
  )
}

const fileRenames = `"PendingFileRenameOperations"=hex(7):${Buffer.from('\\??\\C:\\x\0\0\0', 'utf16le')
  .toString('hex')
  .replace(/..(?=.)/g, '$&,')}`
const restart = 'shutdown.exe /r /t 60 /d p:4:1 /c Puppet is rebooting the computer'
const defined = "Reboot[x]/when: defined 'when' as 'pending'"

/** What the machine has, how the resource limits reasons, and whether the machine restarts. */
const pending: Readonly<
  Record<string, readonly [keys: Keys, attributes: string, restarts: boolean, classes?: readonly string[]]>
> = {
  'nothing pending': [{}, '', false],
  'component based servicing': [
    { 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Component Based Servicing\\RebootPending': '' },
    '',
    true,
  ],
  'an update of Windows': [
    { 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\WindowsUpdate\\Auto Update\\RebootRequired': '' },
    "onlyif => ['package_installer', 'windows_auto_update']",
    true,
  ],
  'files to rename': [{ [`${controlSet}\\Control\\Session Manager`]: fileRenames }, '', true],
  'no files to rename': [
    { [`${controlSet}\\Control\\Session Manager`]: '"PendingFileRenameOperations"=hex(7):00,00' },
    '',
    false,
  ],
  'files to rename, which do not count': [
    { [`${controlSet}\\Control\\Session Manager`]: fileRenames },
    "unless => 'pending_file_rename_operations'",
    false,
  ],
  'another reason than the only one': [
    { [`${controlSet}\\Control\\Session Manager`]: fileRenames },
    "onlyif => 'component_based_servicing'",
    false,
  ],
  'a package installer': [{ 'SOFTWARE\\Microsoft\\Updates': '"UpdateExeVolatile"=dword:00000003' }, '', true],
  'a package installer that is done': [
    { 'SOFTWARE\\Microsoft\\Updates': '"UpdateExeVolatile"=dword:00000000' },
    '',
    false,
  ],
  'a package installer of 32 bits': [
    { 'SOFTWARE\\Wow6432Node\\Microsoft\\Updates': '"UpdateExeVolatile"=dword:00000001' },
    "unless => 'package_installer'",
    true,
  ],
  'a new name': [
    { [`${names}\\ActiveComputerName`]: '"ComputerName"="OLD"', [`${names}\\ComputerName`]: '"ComputerName"="NEW"' },
    '',
    true,
  ],
  'the same name': [
    { [`${names}\\ActiveComputerName`]: '"ComputerName"="VM"', [`${names}\\ComputerName`]: '"ComputerName"="VM"' },
    '',
    false,
  ],
  'a join of a domain': [{ [`${controlSet}\\Services\\Netlogon\\JoinDomain`]: '' }, '', true],
  'desired state configuration': [{}, '', true, ['GetMetaConfiguration']],
  'configuration manager': [{}, "onlyif => 'pending_ccm_reboot'", true, ['DetermineIfRebootPending']],
  'a reason that another module sets': [{}, "onlyif => 'reboot_required'", false],
}

it.each(Object.entries(pending))('restarts Windows for %s', async (_, [keys, attributes, restarts, classes]) => {
  const system = machineWith(keys, classes)
  const says = await saysOf(
    `reboot { 'x': when => pending, ${attributes} } -> notify { 'y': }`,
    system,
    windowsFacts,
    modules,
  )
  const ran = system.commandsRun.filter((line) => line.startsWith('shutdown'))
  expect({ says, ran }).toEqual(
    restarts
      ? { says: [defined], ran: [restart] }
      : { says: ['y', "Notify[y]/message: defined 'message' as 'y'"], ran: [] },
  )
})

const notified = ['x', "Notify[x]/message: defined 'message' as 'x'"]
const refreshed = "Reboot[r]: Triggered 'refresh' from 1 event"
const scheduling = (message: string) => `Scheduling system reboot with message: "${message}"`
const standard = 'Puppet is rebooting the computer'

/** Manifests behind `notify { 'x': }`, with what they say and run. */
const cases: Readonly<
  Record<
    string,
    {
      facts?: typeof windowsFacts | { kernel: string }
      manifest: string
      says: readonly string[]
      ran: readonly string[]
    }
  >
> = {
  'a refresh, which ends the run': {
    manifest: "Notify['x'] ~> reboot { 'r': } -> notify { 'z': }",
    says: [...notified, scheduling(standard), refreshed],
    ran: [restart],
  },
  'a refresh, after which the run goes on': {
    manifest: "Notify['x'] ~> reboot { 'r': apply => finished } -> notify { 'z': }",
    says: [...notified, scheduling(standard), refreshed, 'z', "Notify[z]/message: defined 'message' as 'z'"],
    ran: [restart],
  },
  'no refresh': { manifest: "Notify['x'] -> reboot { 'r': }", says: notified, ran: [] },
  'noop of the resource': {
    manifest: "Notify['x'] ~> reboot { 'r': noop => true }",
    says: [...notified, "Reboot[r]: Would have triggered 'refresh' from 1 event"],
    ran: [],
  },
  'two requests': {
    manifest:
      "Notify['x'] ~> reboot { 'r': apply => finished } Notify['x'] ~> reboot { 's': apply => finished, timeout => 5 }",
    says: [...notified, scheduling(standard), refreshed, "Reboot[s]: Triggered 'refresh' from 1 event"],
    ran: [restart],
  },
  'a message with quotes, and a timeout': {
    manifest: `Notify['x'] ~> reboot { 'r': message => 'now" & calc.exe %PATH% "', timeout => '120' }`,
    says: [...notified, scheduling('now" & calc.exe %PATH% "'), refreshed],
    ran: ['shutdown.exe /r /t 120 /d p:4:1 /c now" & calc.exe %PATH% "'],
  },
  'values above the limits of shutdown.exe': {
    manifest: `Notify['x'] ~> reboot { 'r': message => '${'m'.repeat(600)}', timeout => 99999999999 }`,
    says: [
      ...notified,
      scheduling('m'.repeat(600)),
      'Windows shows the first 512 characters of the message only.',
      refreshed,
    ],
    ran: [`shutdown.exe /r /t 315360000 /d p:4:1 /c ${'m'.repeat(512)}`],
  },
  'a pending restart at the end of the run': {
    manifest: "reboot { 'r': when => pending, apply => finished, onlyif => 'pending_dsc_reboot' }",
    says: [
      ...notified,
      'The combination of `when => pending` and `apply => finished` is not a recommended or supported scenario. Please only use this scenario                       if you know exactly what you are doing. The puppet agent run will continue.',
      "Reboot[r]/when: defined 'when' as 'pending'",
    ],
    ran: [restart],
  },
  'both limits': {
    manifest: "reboot { 'r': when => pending, onlyif => 'package_installer', unless => 'package_installer' }",
    says: [...notified, "Reboot[r]: Could not evaluate: You can't specify 'onlyif' and 'unless'"],
    ran: [],
  },
  'a refresh on Linux': {
    facts: { kernel: 'Linux' },
    manifest: `Notify['x'] ~> reboot { 'r': message => 'a "$(touch /tmp/x)"', onlyif => 'package_installer' } -> notify { 'z': }`,
    says: [...notified, scheduling('a "$(touch /tmp/x)"'), refreshed],
    ran: ['/usr/bin/shutdown -r -- +1 a "$(touch /tmp/x)"'],
  },
  'a message that begins like an option': {
    facts: { kernel: 'Linux' },
    manifest: "Notify['x'] ~> reboot { 'r': message => '-c' }",
    says: [...notified, scheduling('-c'), refreshed],
    ran: ['/usr/bin/shutdown -r -- +1 -c'],
  },
  'seconds on Linux, by the old name of the provider': {
    facts: { kernel: 'Linux' },
    manifest: "Notify['x'] ~> reboot { 'r': provider => linux, timeout => 61 }",
    says: [
      "The 'linux' reboot provider is deprecated and will be removed; use 'posix' instead.",
      ...notified,
      scheduling(standard),
      'Shutdown command on this system specifies time in minutes, rounding 61 seconds up to 2 minutes.',
      refreshed,
    ],
    ran: [`/usr/bin/shutdown -r -- +2 ${standard}`],
  },
  'a refresh on Solaris': {
    facts: { kernel: 'SunOS' },
    manifest: "Notify['x'] ~> reboot { 'r': timeout => 61 }",
    says: [...notified, scheduling(standard), refreshed],
    ran: [`/usr/bin/shutdown -y -i 6 -g 61 -- ${standard}`],
  },
}

it.each(Object.entries(cases))('%s', async (_, { facts = windowsFacts, manifest, says, ran }) => {
  const system = facts.kernel === 'windows' ? machineWith({}, ['GetMetaConfiguration']) : recordingSystem({})
  const heard = await saysOf(`notify { 'x': } ${manifest}`, system, facts, modules)
  expect({ says: heard, ran: system.commandsRun.filter((line) => line.includes('shutdown')) }).toEqual({ says, ran })
})

it('restarts nothing if the run changed another root directory', async () => {
  const machineRestart = new MachineRestart()
  let started = 0
  machineRestart.request(async () => void started++, true)
  await machineRestart.start('/srv/root')
  expect(started).toBe(0)
  await machineRestart.start()
  expect(started).toBe(1)
})
