import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

const key = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Ours'

/** An installer: `install VERSION` registers a program, `remove` removes it; other words are an error. */
const installer = `
const { execFileSync } = require('node:child_process')
const [action, version] = process.argv.slice(2)
const reg = (...words) => execFileSync('C:\\\\windows\\\\system32\\\\reg.exe', words, { stdio: 'ignore' })
if (action === 'remove') reg('delete', ${JSON.stringify(key)}, '/f')
else if (action !== 'install') process.exit(1603)
else for (const [name, value] of Object.entries({
  DisplayName: 'Our "Größe" & Co',
  DisplayVersion: version,
  UninstallString: 'C:\\\\our tools\\\\setup.exe "C:\\\\our tools\\\\setup.cjs" remove',
})) reg('add', ${JSON.stringify(key)}, '/v', name, '/t', 'REG_SZ', '/d', value, '/f')
process.exit(action === 'install' ? 3010 : 0)
`

describe.skipIf(missing)(`packages and hosts on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
    mkdirSync(join(windows.driveC, 'our tools'))
    linkSync(join(windowsFolder, 'node.exe'), join(windows.driveC, 'our tools/setup.exe'))
    writeFileSync(join(windows.driveC, 'our tools/setup.cjs'), installer)
    mkdirSync(join(windows.driveC, 'windows/system32/drivers/etc'), { recursive: true })
    writeFileSync(hosts(), '# top\r\n127.0.0.1 localhost\r\n')
  })
  afterAll(() => windows?.stop())

  const hosts = () => join(windows.driveC, 'windows/system32/drivers/etc/hosts')

  async function apply(manifest: string) {
    writeFileSync(join(windows.driveC, 'work/site.pp'), manifest)
    const words = ['apply', '--color=false', '--detailed-exitcodes', 'C:\\work\\site.pp']
    return windows.plumb(words)
  }

  const program = (ensure: string) => `package { 'Our "Größe" & Co': ensure => '${ensure}',
    source => 'C:/our tools/setup.exe', install_options => ['C:\\\\our tools\\\\setup.cjs', 'install', '1.0'] }`

  it('installs an executable and adds a host, once', async () => {
    const manifest = `${program('1.0')} host { 'web.example': ip => '10.0.0.1', host_aliases => ['web'] }`
    const first = await apply(manifest)
    expect(first).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('but the system must be rebooted.') })
    expect(first.stdout).toContain('Package[Our "Größe" & Co]/ensure: created')
    expect(readFileSync(hosts(), 'utf8')).toMatch(/127\.0\.0\.1\tlocalhost\r\n10\.0\.0\.1\tweb\.example\tweb\r\n$/)
    expect(await apply(manifest)).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('uninstalls a program whose command has no quotes', async () => {
    const { exitCode, stdout } = await apply(program('absent'))
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('/ensure: removed') })
    expect((await windows.run(['reg.exe', 'query', key])).exitCode).not.toBe(0)
  })
})
