import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

describe.skipIf(missing)(`plumb facts on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows?.stop())

  it('prints the facts of the machine, without errors', async () => {
    const found = await windows.plumb(['facts', '--json', '--show-legacy'])
    expect(found).toMatchObject({ exitCode: 0, stderr: '' })
    const facts = JSON.parse(found.stdout)
    expect(facts).toMatchObject({
      kernel: 'windows',
      kernelmajversion: '10.0',
      identity: { privileged: true, user: expect.stringMatching(/^\w+\\\w+$/) },
      os: { name: 'windows', family: 'windows', architecture: 'x64', hardware: 'x86_64', release: { full: '10' } },
      processors: { count: expect.any(Number) },
      virtual: expect.any(String),
      timezone: expect.any(String),
      path: expect.stringMatching(/^C:\\windows\\system32;/i),
      system32: expect.stringMatching(/^C:\\windows\\system32$/i),
      fips_enabled: false,
    })
    expect(facts.kernelrelease).not.toBe(release())
    expect(facts.memory.system.total_bytes).toBeGreaterThan(1024 ** 3)
    expect(facts.networking.fqdn).toContain(facts.networking.hostname)
  })

  it('prints one fact as YAML, and a variable in any case', async () => {
    const found = await windows.plumb(['facts', 'os.name', 'role', '--render-as', 'yaml'], { facter_ROLE: 'web' })
    expect(found).toEqual({ exitCode: 0, stderr: '', stdout: '---\nos.name: windows\nrole: web\n' })
  })

  it('reads external facts of each kind, and keeps them in the cache', async () => {
    const folder = join(windows.driveC, 'work/facts.d')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.txt'), 'text=a\r\n')
    writeFileSync(join(folder, 'b.yaml'), 'yaml: [1]\r\n')
    writeFileSync(join(folder, 'c.json'), '{"json": true}')
    writeFileSync(join(folder, 'd.bat'), '@echo off\r\necho bat=%~nx0\r\n')
    writeFileSync(join(folder, 'e & (f) ^!x.cmd'), '@echo off\r\necho cmd: two\r\n')
    copyFileSync(join(windows.driveC, 'windows/system32/hostname.exe'), join(folder, 'g.exe'))
    writeFileSync(join(folder, 'notes'), 'none=1')
    writeFileSync(join(windows.driveC, 'work/facter.conf'), 'facts : { ttls : [ { "d.bat" : 1 day } ] }\n')
    const words = ['facts', '--config', 'C:\\work\\facter.conf', '--external-dir', 'C:\\work\\facts.d']
    const names = ['text', 'yaml', 'json', 'bat', 'cmd', 'none']
    const expected = { text: 'a', yaml: [1], json: true, bat: 'd.bat', cmd: 'two', none: null }
    const found = await windows.plumb([...words, '--json', ...names])
    expect(found).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(found.stdout)).toEqual(expected)
    writeFileSync(join(folder, 'd.bat'), 'exit 1\r\n')
    expect(JSON.parse((await windows.plumb([...words, '--json', ...names])).stdout)).toEqual(expected)
  })

  it('finds custom facts on drives, in folders of an option and of FACTERLIB', async () => {
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(join(windows.driveC, 'work', name))
      const code = `Facter.add(:custom_${name}) { setcode { "${name} " + Facter.value(:kernel) } }\n`
      writeFileSync(join(windows.driveC, 'work', name, `custom_${name}.rb`), code)
    }
    const words = ['facts', '--custom-dir', 'C:\\work\\a', 'custom_a', 'custom_b', 'custom_c', '--json']
    const found = await windows.plumb(words, { FACTERLIB: 'C:\\work\\b;C:/work/c' })
    expect(found).toMatchObject({ exitCode: 0, stderr: '' })
    const values = { custom_a: 'a windows', custom_b: 'b windows', custom_c: 'c windows' }
    expect(JSON.parse(found.stdout)).toEqual(values)
  })
})
