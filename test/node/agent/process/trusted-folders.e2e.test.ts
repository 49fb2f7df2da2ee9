import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { requireTrustedFolders } from '../../../../src/node/agent/process/trusted-folders.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** The user and group `nobody` of Debian. */
const nobody = 65534

/** Settings of an agent with a plug-in, an external fact, a cached catalog and state, all of them root's. */
function installedAgent() {
  const folder = scratchFolder('trusted')
  const at = (path: string) => join(folder, path)
  for (const each of ['etc', 'var/lib/facter', 'var/facts.d', 'var/client_data/catalog', 'var/state'])
    mkdirSync(at(each), { recursive: true, mode: 0o755 })
  for (const each of [
    'etc/puppet.conf',
    'var/lib/facter/role.rb',
    'var/facts.d/site.sh',
    'var/client_data/catalog/a.json',
  ])
    writeFileSync(at(each), '')
  return { at, settings: loadSettings({ given: { confdir: at('etc'), vardir: at('var') }, runMode: 'agent' }) }
}

describe.skipIf(process.getuid?.() !== 0)('folders of a run by root (needs root)', () => {
  it('are used if they belong to root alone, or do not exist', () => {
    const { at, settings } = installedAgent()
    symlinkSync('nowhere', at('var/lib/link'))
    expect(() => requireTrustedFolders(settings)).not.toThrow()
    const none = loadSettings({ given: { confdir: at('none/etc'), vardir: at('none/var') }, runMode: 'agent' })
    expect(() => requireTrustedFolders(none)).not.toThrow()
  })

  const own = (path: string) => chownSync(path, nobody, nobody)
  const open =
    (mode: number, gid = 0) =>
    (path: string) => {
      chownSync(path, 0, gid)
      chmodSync(path, mode)
    }
  it.each<[string, string, string, (path: string) => void]>([
    ['a plug-in of another user', 'var/lib/facter/role.rb', 'plugindest', own],
    ['a folder of plug-ins of another user', 'var/lib/facter', 'plugindest', own],
    ['an external fact that everybody can write to', 'var/facts.d/site.sh', 'pluginfactdest', open(0o777)],
    [
      'a cached catalog that another group can write to',
      'var/client_data/catalog/a.json',
      'client_datadir',
      open(0o660, nobody),
    ],
    ['state of another user', 'var/state', 'statedir', own],
    ['a state folder above, of another user', 'var', 'vardir', own],
    ['a settings file of another user', 'etc/puppet.conf', 'config', own],
    ['a configuration folder that everybody can write to', 'etc', 'confdir', open(0o777)],
  ])('are refused with %s', (_, path, setting, spoil) => {
    const { at, settings } = installedAgent()
    spoil(at(path))
    expect(() => requireTrustedFolders(settings)).toThrow(`Refusing to use ${at(path)} of ${setting}: `)
  })

  it('are refused if a link of root leads to a folder of another user', () => {
    const { at, settings } = installedAgent()
    mkdirSync(at('data/plugins'), { recursive: true })
    rmSync(at('var/lib'), { recursive: true })
    symlinkSync(at('data/plugins'), at('var/lib'))
    expect(() => requireTrustedFolders(settings)).not.toThrow()
    own(at('data'))
    expect(() => requireTrustedFolders(settings)).toThrow(`Refusing to use ${at('data')} of plugindest: `)
  })

  it('may belong to the group root, and lie in a folder like /tmp', () => {
    const { at, settings } = installedAgent()
    open(0o775)(at('var/lib'))
    open(0o1777)(at('.'))
    expect(() => requireTrustedFolders(settings)).not.toThrow()
  })
})
