import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { createRootedSystem } from '../../../../src/machine/system/rooted-system.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { saysOf } from '../says-of.ts'

const before = {
  'yum.conf': '[main]\ncachedir=/var\n# c\n\n[inmain]\nname=x\n',
  'yum.repos.d/base.repo':
    '# head\n[base]\nname=Base\n  # odd\nbaseurl=http://a\n  http://b\nenabled = 1 \ngpgcheck=1\nweird=2\n\n[moved]\nname=M\nbaseurl=http://old\n# kept\n',
  'yum.repos.d/gone.repo': '[gone]\nname=G\n',
  'yum.repos.d/two.repo': '[two-a]\nname=A\n[two-b]\nname=B\n',
  'yum.repos.d/same.repo': '[same]\nname=Same\n',
}

/** As real Puppet 7.23 left them, with its module yumrepo_core, which Debian has not. */
const after = {
  'yum.conf': '[main]\ncachedir=/var\n# c\n\n',
  'yum.repos.d/base.repo':
    '# head\n[base]\nname=Base\n  # odd\nbaseurl=http://a\n  http://b\nenabled=0\nweird=2\n\nexclude=a b\npassword=secret\n',
  'yum.repos.d/new.repo':
    '[new]\nname=A new one\nbaseurl=http://x.example/$releasever/\nenabled=1\ngpgcheck=True\ngpgkey=file:///a https://b\n',
  'yum.repos.d/other.repo': '[moved]\nname=M\nbaseurl=http://new/\n# kept\n',
  'yum.repos.d/same.repo': '[same]\nname=Same\n',
  'yum.repos.d/sub.repo': '[targeted]\nbaseurl=http://t/\npriority=-3\n',
  'yum.repos.d/two.repo': '[two-b]\nname=B\n',
  'yum.repos.d/yum.conf.repo': '[inmain]\nname=x\ncost=5\n',
}

const manifest = `
  yumrepo { 'new': descr => 'A new one', baseurl => 'http://x.example/$releasever/', enabled => 1, gpgcheck => true, gpgkey => 'file:///a https://b' }
  yumrepo { 'base': enabled => '0', gpgcheck => absent, exclude => 'a b', password => 'secret' }
  yumrepo { 'gone': ensure => absent } yumrepo { 'two-a': ensure => absent } yumrepo { 'inmain': cost => 5 }
  yumrepo { 'moved': target => 'other.repo', baseurl => 'http://new/' }
  yumrepo { 'targeted': target => '/etc/yum.repos.d/sub.repo', baseurl => 'http://t/', priority => '-3' }
  yumrepo { 'same': descr => 'Same' } yumrepo { 'nowhere': ensure => absent }`

function machine(files: Readonly<Record<string, string>>) {
  const root = scratchFolder('yum')
  mkdirSync(join(root, 'etc/yum.repos.d'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'etc', name), text)
  return { root, system: createRootedSystem(localSystem, root) }
}

function filesBelow(root: string): Readonly<Record<string, string>> {
  const names = (readdirSync(join(root, 'etc'), { recursive: true }) as string[]).filter((each) => !each.endsWith('.d'))
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, 'etc', name), 'utf8')]))
}

describe('repositories of yum', () => {
  it('are sections of files, which come, move and go', async () => {
    const { root, system } = machine(before)
    chmodSync(join(root, 'etc/yum.repos.d/same.repo'), 0o600)
    expect(await saysOf(manifest, system)).toEqual([
      'Yumrepo[new]/ensure: created',
      "Yumrepo[base]/enabled: enabled changed '1' to '0'",
      "Yumrepo[base]/gpgcheck: undefined 'gpgcheck' from '1'",
      "Yumrepo[base]/exclude: defined 'exclude' as 'a b'",
      'Yumrepo[base]/password: changed [redacted] to [redacted]',
      'Yumrepo[gone]/ensure: removed',
      'Yumrepo[two-a]/ensure: removed',
      "Yumrepo[inmain]/cost: defined 'cost' as 5",
      'Yumrepo[moved]/ensure: created',
      'Yumrepo[targeted]/ensure: created',
    ])
    expect(filesBelow(root)).toEqual(after)
    expect(statSync(join(root, 'etc/yum.repos.d/same.repo')).mode & 0o777).toBe(0o644)
    expect(await saysOf(manifest, system)).toEqual([])
    expect(filesBelow(root)).toEqual(after)
  })

  it.each([
    [
      "enabled => 'maybe'",
      'Invalid value "maybe". Valid values are absent. Valid values match /^(true|false|0|1|no|yes)$/.',
    ],
    ["baseurl => 'http://a gopher://x'", 'Validate method failed for class baseurl: Must be a valid URL'],
    [
      "metadata_expire => '7x'",
      'Invalid value "7x". Valid values are absent. Valid values match /^([0-9]+[dhm]?|never)$/.',
    ],
  ])('have no %s', async (attribute, why) => {
    const { system } = machine({})
    expect((await saysOf(`yumrepo { 'a': ${attribute} }`, system))[0]).toContain(why)
  })

  it('are left alone where a file cannot be read', async () => {
    const { root, system } = machine({ 'yum.repos.d/bad.repo': '[a]\nname=A\nnonsense\n' })
    const says = await saysOf("yumrepo { 'a': enabled => 1 }", system)
    expect(says[0]).toBe(
      "Could not prefetch yumrepo provider 'inifile': Can't parse line 'nonsense' (file: /etc/yum.repos.d/bad.repo, line: 3)",
    )
    expect(filesBelow(root)).toEqual({ 'yum.repos.d/bad.repo': '[a]\nname=A\nnonsense\n' })
  })
})
