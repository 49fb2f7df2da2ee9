import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { encodeDword, encodeRegistryText, registryTypes } from '../../../../src/machine/registry/registry-data.ts'
import { packGuid, parseUninstallKey } from '../../../../src/node/resources/providers/package/windows-programs.ts'
import { fc } from '../../../support/properties.ts'
import { saysOf } from '../says-of.ts'
import { windowsFacts, windowsSystem } from '../windows-tools.ts'

const choco = 'C:/ProgramData/chocolatey/choco.exe'

interface Case {
  readonly manifest: string
  readonly runs: readonly string[]
  readonly says: readonly string[]
}

const chocolateyCases: Readonly<Record<string, Case>> = {
  'packages that are right': {
    manifest:
      "package { 'Git': provider => chocolatey } package { 'vlc': ensure => '>=3.0 <4', provider => chocolatey }",
    runs: [],
    says: [],
  },
  'a new package': {
    manifest: `package { 'nodejs': provider => chocolatey, source => 'https://choco.example/api', install_options =>
      ['-params', '/InstallDir:C:\\\\Program Files\\\\Node'] }`,
    runs: [
      'install nodejs -y --source https://choco.example/api -params "/InstallDir:C:\\Program Files\\Node" --ignore-package-exit-codes --no-progress',
    ],
    says: ['Package[nodejs]/ensure: created'],
  },
  'the newest version of a held package': {
    manifest: "package { 'vlc': ensure => latest, provider => chocolatey }",
    runs: ['pin remove -n vlc', 'upgrade vlc -y --ignore-package-exit-codes --no-progress'],
    says: ["Package[vlc]/ensure: ensure changed '3.0.18' to '3.0.20'"],
  },
  'a version of a range': {
    manifest: "package { 'git': ensure => '>=2.43 <2.45', provider => chocolatey }",
    runs: ['upgrade git --version 2.44.0 -y --ignore-package-exit-codes --no-progress'],
    says: ["Package[git]/ensure: ensure changed '2.40.0' to '>=2.43 <2.45'"],
  },
  'a package to hold and one to remove': {
    manifest: `package { 'git': mark => hold, provider => chocolatey }
      package { 'vlc': ensure => absent, provider => chocolatey, uninstall_options => ['-x'] }`,
    runs: ['pin add -n git', 'pin remove -n vlc', 'uninstall vlc -fy -x --ignore-package-exit-codes'],
    says: ["Package[git]/mark: mark changed 'none' to 'hold'", 'Package[vlc]/ensure: removed'],
  },
  'a package whose installation fails': {
    manifest: "package { 'broken': provider => chocolatey }",
    runs: ['install broken -y --ignore-package-exit-codes --no-progress'],
    says: [
      `Execution of '${choco} install broken -y --ignore-package-exit-codes --no-progress' returned 1: broken not installed.`,
      `Package[broken]/ensure: change from 'absent' to 'present' failed: Execution of '${choco} install broken -y --ignore-package-exit-codes --no-progress' returned 1: broken not installed.`,
    ],
  },
}

// The installation of Chocolatey sets the variable.
beforeEach(() => void vi.stubEnv('ChocolateyInstall', String.raw`C:\ProgramData\chocolatey`))
afterEach(() => void vi.unstubAllEnvs())

it('uses Chocolatey only below the folder of its variable: every user can create the others', async () => {
  vi.stubEnv('ChocolateyInstall', undefined)
  const system = windowsSystem({ 'choco.exe': () => '2.2.2\r\n' }, { [choco]: '', 'C:/Chocolatey/choco.exe': '' })
  const says = await saysOf("package { 'git': provider => chocolatey }", system, windowsFacts)
  expect(says.join('\n')).toContain('chocolatey')
  expect(system.commandsRun.filter((line) => line.startsWith('choco'))).toEqual([])
})

it.each(Object.entries(chocolateyCases))('Chocolatey: %s', async (_, { manifest, runs, says }) => {
  const answer = (words: readonly string[]) => {
    const line = words.join(' ')
    if (line === '--version') return '2.2.2\r\n'
    if (line === 'pin list -r') return 'vlc|3.0.18\r\n'
    if (line === 'list -r') return 'git|2.40.0\r\nvlc|3.0.18\r\n'
    if (line.startsWith('upgrade --noop')) return 'vlc|3.0.18|3.0.20|false\r\n'
    if (line.startsWith('search git')) return 'git|2.45.1\r\ngit|2.44.0\r\ngit|2.43.0\r\ngit|2.40.0\r\n'
    return line.startsWith('install broken') ? { status: 1, stdout: 'broken not installed.\r\n' } : ''
  }
  const system = windowsSystem({ 'choco.exe': answer }, { [choco]: '' })
  const heard = await saysOf(manifest, system, windowsFacts)
  const changes = system.commandsRun.filter((line) =>
    /^choco\.exe (?:install|uninstall|upgrade [^-]|pin [ar])/.test(line),
  )
  expect({ runs: changes.map((line) => line.replace('choco.exe ', '')), says: heard }).toEqual({ runs, says })
})

it('installs with quiet options, and reports restarts and failures', async () => {
  const texts = { 'D:/my app.exe': '', 'D:\\': '', 'D:/': '' }
  const statuses = new Map([
    ['C:\\restart.msi', 3010],
    ['C:\\bad.msi', 1603],
  ])
  const system = windowsSystem({}, texts)
  const ran: string[] = []
  const { find } = system.commands
  const run: typeof system.commands.run = async ([program = ''], options) => {
    const { commandLine } = options ?? {}
    if (commandLine !== undefined) ran.push(`${program} | ${commandLine}`)
    const named = [...statuses].find(([source]) => commandLine?.includes(source))
    const status = commandLine === undefined ? 1 : (named?.[1] ?? 0)
    return { status, stdout: '', stderr: '', output: '', timedOut: false }
  }
  const says = await saysOf(
    `package { 'app': source => 'D:/my app.exe', install_options => ['/S', { 'DIR' => 'C:\\\\a b' }] }
      package { 'msi': source => '//server/share/a b.msi', install_options => ['/l*v', 'C:\\\\log.txt'] }
      package { 'restart': source => 'C:/restart.msi' }
      package { 'bad': source => 'C:/bad.msi' }
      package { 'none': source => 'D:/none.exe' }
      package { 'zip': source => 'C:/x.zip' }
      package { 'sourceless': }`,
    { ...system, commands: { find, run } },
    windowsFacts,
  )
  expect(ran).toEqual([
    'D:\\my app.exe | "D:\\my app.exe" /S DIR="C:\\a b"',
    'C:/Windows/System32/msiexec.exe | msiexec.exe /qn /norestart /i "\\\\server\\share\\a b.msi" /l*v C:\\log.txt',
    'C:/Windows/System32/msiexec.exe | msiexec.exe /qn /norestart /i C:\\restart.msi',
    'C:/Windows/System32/msiexec.exe | msiexec.exe /qn /norestart /i C:\\bad.msi',
  ])
  expect(says.filter((line) => !line.includes('failed: '))).toEqual([
    'Package[app]/ensure: created',
    'Package[msi]/ensure: created',
    expect.stringContaining('The package installed successfully, but the system must be rebooted.'),
    'Package[restart]/ensure: created',
    'Failed to install:  Fatal error during installation.',
    "The source does not exist: 'D:/none.exe'",
    "Don't know how to install 'C:/x.zip'",
    'The source parameter is required when using the Windows provider.',
  ])
})

const key = (name: string, values: Readonly<Record<string, string | bigint>>) => ({
  path: `HKEY_LOCAL_MACHINE\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${name}`,
  values: Object.entries(values).map(([each, value]) =>
    typeof value === 'string'
      ? { name: each, type: registryTypes.string, data: encodeRegistryText(value) }
      : { name: each, type: registryTypes.dword, data: encodeDword(value) },
  ),
})

const code = '{90140000-0115-0409-1000-0000000FF1CE}'

it('reads installed programs as Puppet does', () => {
  const exe = { DisplayName: 'Größe', DisplayVersion: '1.2', UninstallString: 'C:\\x\\un.exe' }
  expect([
    parseUninstallKey(key('app', exe)),
    parseUninstallKey(key(code, { DisplayName: 'Office', WindowsInstaller: 1n })),
    parseUninstallKey(key('no-guid', { DisplayName: 'Office', WindowsInstaller: 1n })),
    parseUninstallKey(key('app', { ...exe, DisplayName: '' })),
    parseUninstallKey(key('app', { ...exe, DisplayName: '', QuietDisplayName: 'quiet' })),
    parseUninstallKey(key('app', { DisplayName: 'x' })),
    parseUninstallKey(key('KB123456', exe)),
    parseUninstallKey(key('app', { ...exe, ParentKeyName: 'Windows' })),
  ]).toEqual([
    { name: 'Größe', version: '1.2', productCode: undefined, uninstallString: 'C:\\x\\un.exe' },
    { name: 'Office', version: undefined, productCode: code, uninstallString: '' },
    undefined,
    undefined,
    { name: 'quiet', version: '1.2', productCode: undefined, uninstallString: 'C:\\x\\un.exe' },
    undefined,
    undefined,
    undefined,
  ])
})

it('packs a GUID as Windows Installer does, and back', () => {
  expect(packGuid(code)).toBe('00004109511090400100000000F01FEC')
  fc.assert(fc.property(fc.uuid(), (uuid) => packGuid(packGuid(uuid)) === uuid.replaceAll('-', '').toUpperCase()))
})
