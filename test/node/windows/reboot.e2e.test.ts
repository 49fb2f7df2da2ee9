import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

/** What the compiler needs of the modules; the types themselves are native. */
const declarations = {
  registry_key: 'ensurable; newparam(:path, namevar: true); newparam(:purge_values)',
  reboot:
    'newparam(:name, namevar: true); newproperty(:when); newparam(:onlyif); newparam(:unless); newparam(:message)',
  acl: 'newparam(:name, namevar: true); newproperty(:permissions, array_matching: :all)',
}

const domainJoin = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Netlogon\\JoinDomain'
const registryReasons = "unless => ['pending_dsc_reboot', 'pending_ccm_reboot']"

describe.skipIf(missing)(`restarts and access lists of Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
    const folder = join(windows.driveC, 'modules/declared/lib/puppet/type')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(declarations))
      writeFileSync(join(folder, `${name}.rb`), `Puppet::Type.newtype(:${name}) { ${text} }`)
  })
  afterAll(() => windows?.stop())

  const apply = (manifest: string) => {
    writeFileSync(join(windows.driveC, 'work/site.pp'), manifest)
    return windows.plumb(['apply', '--detailed-exitcodes', '--modulepath', 'C:/modules', 'C:/work/site.pp'], {
      WINEDLLOVERRIDES: 'mscoree,mshtml=;shutdown.exe=n',
    })
  }

  it('finds no reason to restart', async () => {
    const { stdout, stderr } = await apply(
      `reboot { 'r': when => pending, ${registryReasons} } -> notify { 'later': message => 'still running' }`,
    )
    expect(stderr).not.toContain('Reboot')
    expect(stdout).toContain('Notice: still running\n')
  })

  it('ends the run for a reason in the registry, after the report', async () => {
    await apply(`registry_key { '${domainJoin}': ensure => present }`)
    // Node does not know the options of shutdown.exe, so that its failure shows that it was called, and when.
    const shutdown = join(windows.driveC, 'windows/system32/shutdown.exe')
    rmSync(shutdown)
    symlinkSync(join(windowsFolder, 'node.exe'), shutdown)
    const { stdout, stderr, exitCode } = await apply(
      `reboot { 'r': when => pending, message => 'a "b" %PATH% & c\\\\', ${registryReasons} }
      -> notify { 'later': message => 'still running' }`,
    )
    expect(stderr.replaceAll('\\', '/')).toMatch(
      /Could not restart the machine: Execution of '.*shutdown.exe \/r \/t 60 \/d p:4:1 \/c a "b" %PATH% & c\/' returned 1: /i,
    )
    expect(exitCode).toBe(2)
    expect(stdout).toContain("/Reboot[r]/when: defined 'when' as 'pending'\n")
    expect(stdout).not.toContain('still running')
    const home = join(windows.driveC, 'ProgramData/Plumbline')
    const reports = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('last_run_report.yaml'),
    )
    const report = reports.map((file) => readFileSync(join(home, file), 'utf8')).join('')
    expect([report.includes('Reboot[r]'), report.includes('Could not restart')]).toEqual([true, false])
  })

  it('changes no list that it cannot read', async () => {
    const { stderr, exitCode } = await apply(`file { 'C:/work/a.txt': content => 'a' }
      -> acl { 'C:/work/a.txt': permissions => [{ identity => 'Everyone', rights => ['read'] }] }`)
    expect(stderr).toContain("Could not evaluate: Failed to get security descriptor for path 'C:/work/a.txt': ")
    expect(exitCode).toBe(6)
  })
})
