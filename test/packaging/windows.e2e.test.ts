import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageMsi, packageZip } from '../../scripts/package/windows.js'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { startWindows, type WindowsMachine, windowsFolder } from '../support/windows/wine.ts'

const hasWixl = existsSync('/usr/bin/wixl')
const missing = without('Windows (Wine)') || (hasWixl ? '' : ' (left out: no wixl; see CONTRIBUTING.md)')
/** Wine 8 cannot run the pinned Node 24. */
const node = join(windowsFolder, 'node.exe')

describe.skipIf(missing)(`packages of Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows?.stop())

  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  const apply = async (command: readonly string[]) => {
    writeFileSync(join(windows.driveC, 'site.pp'), "file { 'C:/applied.txt': content => 'applied' }\n")
    const applied = await windows.run([...command, 'apply', 'C:\\site.pp'])
    expect(applied).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readFileSync(join(windows.driveC, 'applied.txt'), 'utf8')).toBe('applied')
  }

  it('the zip archive has the same bytes twice, and runs', async () => {
    const file = packageZip(scratchFolder('zip'), node)
    expect(digest(packageZip(scratchFolder('zip'), node))).toBe(digest(file))
    execFileSync('python3', ['-m', 'zipfile', '-e', file, windows.driveC])
    const [folder = ''] = readdirSync(windows.driveC).filter((name) => name.startsWith('plumbline-'))
    const printed = await windows.run(['cmd.exe', '/c', `C:\\${folder}\\bin\\plumb.cmd`, '--version'])
    expect(printed).toMatchObject({ exitCode: 0, stderr: '' })
    const program = `C:\\${folder}\\versions\\${version}`
    await apply([`${program}\\node.exe`, `${program}\\dist\\main.js`])
  }, 900_000)

  it('the MSI package replaces an older one, and keeps the state when it is removed', async () => {
    copyFileSync(packageMsi(scratchFolder('old'), node, '0.0.1'), join(windows.driveC, 'old.msi'))
    const file = packageMsi(scratchFolder('msi'), node)
    copyFileSync(file, join(windows.driveC, 'plumbline.msi'))
    const versions = join(windows.driveC, 'Program Files/Plumbline/versions')
    expect((await windows.run(['msiexec.exe', '/i', 'C:\\old.msi', '/qn'])).exitCode).toBe(0)
    expect(readdirSync(versions)).toEqual(['0.0.1'])
    expect((await windows.run(['reg.exe', 'query', 'HKLM\\SOFTWARE\\Plumbline', '/v', 'Version'])).stdout).toContain(
      '0.0.1',
    )
    expect((await windows.run(['msiexec.exe', '/i', 'C:\\plumbline.msi', '/qn'])).exitCode).toBe(0)
    expect(readdirSync(versions)).toEqual([version])
    const program = `C:\\Program Files\\Plumbline\\versions\\${version}`
    const printed = await windows.run(['cmd.exe', '/c', 'C:\\Program Files\\Plumbline\\bin\\plumb.cmd', '--version'])
    expect(printed.stdout.trim()).toBe(version)
    const wrong = await windows.run([
      'cmd.exe',
      '/c',
      'C:\\Program Files\\Plumbline\\bin\\plumb.cmd',
      'apply',
      '--wrong',
    ])
    expect(wrong.exitCode).toBe(1)
    await apply([`${program}\\node.exe`, `${program}\\dist\\main.js`])
    const key = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment'
    expect((await windows.run(['reg.exe', 'query', key, '/v', 'PATH'])).stdout).toContain('Plumbline\\bin')
    const state = join(windows.driveC, 'ProgramData/Plumbline/var/state')
    expect(readdirSync(state)).toContain('state.yaml')
    expect((await windows.run(['msiexec.exe', '/x', 'C:\\plumbline.msi', '/qn'])).exitCode).toBe(0)
    expect(existsSync(join(versions, version))).toBe(false)
    expect(readdirSync(state)).toContain('state.yaml')
  }, 900_000)
})
