import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

/** What the compiler needs of the module; the types themselves are native. */
const declarations = {
  registry_key: 'newparam(:path, namevar: true); newparam(:purge_values)',
  registry_value: 'newparam(:path, namevar: true); newproperty(:type); newproperty(:data, array_matching: :all)',
}

const key = 'HKLM\\Software\\Ünï Key'
const values = `registry_value {
  '${key}\\text "q" %PATH%': data => "zwei\\r\\nZeilen \\"x\\" 漢 \\\\";
  '${key}\\\\\\\\a\\b': type => array, data => ['a', 'b c'];
  '${key}\\dw': type => dword, data => '0xff';
  '${key}\\qw': type => qword, data => 12345678901;
  'hklm\\software\\ünï key\\bin': type => binary, data => 'CaFE 1';
  '${key}\\exp': type => expand, data => '%SystemRoot%\\x';
  '${key}\\\\': data => 'default';
}`

describe.skipIf(missing)(`the registry of Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
    const folder = join(windows.driveC, 'modules/registry/lib/puppet/type')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(declarations)) {
      writeFileSync(join(folder, `${name}.rb`), `Puppet::Type.newtype(:${name}) { ensurable; ${text} }`)
    }
  })
  afterAll(() => windows?.stop())

  const apply = (manifest: string) => {
    writeFileSync(join(windows.driveC, 'work/site.pp'), manifest)
    const words = ['apply', '--detailed-exitcodes', '--modulepath', 'C:/modules', 'C:/work/site.pp']
    return windows.plumb(words)
  }

  it('writes values of all types, and changes nothing in a second run', async () => {
    const manifest = `registry_key { '${key}': ensure => present }\n${values.replace("'CaFE 1'", "'CaFE 01'")}`
    expect(await apply(manifest)).toMatchObject({ exitCode: 2, stderr: '' })
    expect(await apply(manifest)).toMatchObject({ exitCode: 0, stderr: '' })
    const changed = await apply(`registry_value { '${key}\\dw': type => dword, data => 7 }`)
    expect(changed.stdout).toContain(`Registry_value[${key}\\dw]/data: data changed '255' to '7'`)
  })

  it('keeps the views of 64 and 32 bits apart', async () => {
    const manifest = `registry_key { '32:HKLM\\Software\\View': ensure => present } -> registry_value { '32:HKLM\\Software\\View\\x': data => 'y' }`
    expect(await apply(manifest)).toMatchObject({ exitCode: 2, stderr: '' })
    const views = await Promise.all(
      ['32', '64'].map((bits) => windows.run(['reg.exe', 'query', 'HKLM\\Software\\View', `/reg:${bits}`])),
    )
    expect(views.map(({ exitCode }) => exitCode)).toEqual([0, 1])
  })

  it('purges other values, removes values and keys, and keeps keys with subkeys', async () => {
    expect(
      await apply(`registry_key { ['HKLM\\Software\\P', 'HKLM\\Software\\P\\Sub']: ensure => present }
      registry_value { ['HKLM\\Software\\P\\one', 'HKLM\\Software\\P\\two']: data => '1' }`),
    ).toMatchObject({ exitCode: 2, stderr: '' })
    const purged = await apply(`registry_key { 'hklm\\software\\P': purge_values => true }
      registry_value { 'HKLM\\Software\\P\\ONE': data => '1' }`)
    expect(purged).toMatchObject({ exitCode: 2, stderr: '' })
    expect(purged.stdout).toContain('Registry_value[hklm\\software\\P\\two]/ensure: removed')
    expect((await apply(`registry_key { 'HKLM\\Software\\P': ensure => absent }`)).stderr).toContain('Access is denied')
    expect(
      await apply(
        `registry_key { 'HKLM\\Software\\P\\Sub': ensure => absent } -> registry_key { 'HKLM\\Software\\P': ensure => absent }`,
      ),
    ).toMatchObject({ exitCode: 2, stderr: '' })
  })

  it('rejects bad input, and writes no value without its key', async () => {
    const { stderr } = await apply(`registry_value { 'HKLM\\Software\\Nowhere\\x': data => 'y' }`)
    expect(stderr).toContain('Cannot write to the registry. The parent key does not exist.')
    expect((await apply(`registry_key { 'HKCU\\Software': }`)).stderr).toContain(
      'Parameter path failed on Registry_key[HKCU\\Software]: Munging failed for value "HKCU\\\\Software" in class path: Unsupported predefined key: hkcu',
    )
    expect((await apply(`registry_value { 'HKLM\\Software\\x': type => dword, data => 'abc' }`)).stderr).toContain(
      "Validate method failed for class data: The data must be a valid DWORD: received 'abc'",
    )
  })
})
