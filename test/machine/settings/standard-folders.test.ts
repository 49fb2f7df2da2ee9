import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  getStandardFolders,
  type PackageFolders,
  type ProcessAccount,
} from '../../../src/machine/settings/standard-folders.ts'

const packaged: PackageFolders = JSON.parse(
  readFileSync(new URL('../../../ext/package/package-folders.json', import.meta.url), 'utf8'),
)
const root: ProcessAccount = { isRoot: true, name: 'root' }
const plumb: ProcessAccount = { isRoot: false, name: 'plumb' }
const ann: ProcessAccount = { isRoot: false, name: 'ann' }
const env = { HOME: '/home/x' }

describe('default folders of a package', () => {
  it.each([root, plumb])('are separate for server and agent: %o', (account) => {
    expect(getStandardFolders(env, account, 'agent', packaged)).toEqual(packaged.folders)
    expect(getStandardFolders(env, account, 'user', packaged)).toEqual(packaged.folders)
    expect(getStandardFolders(env, account, 'server', packaged)).toEqual({ confdir: '/etc/plumb', ...packaged.server })
  })

  it('are not those of other users, or of programs outside the package', () => {
    const own = { confdir: '/home/x/.plumb/etc', vardir: '/home/x/.plumb/var' }
    expect(getStandardFolders(env, ann, 'server', packaged)).toEqual(own)
    expect(getStandardFolders(env, { isRoot: false, name: undefined }, 'server', packaged)).toEqual(own)
    expect(getStandardFolders(env, plumb, 'server', undefined)).toEqual(own)
    expect(getStandardFolders(env, root, 'server', undefined)).toEqual({
      confdir: '/etc/plumb',
      vardir: '/var/lib/plumb',
    })
  })

  it('yield to variables of the environment', () => {
    const given = { ...env, PLUMB_CONFDIR: '/c', PLUMB_VARDIR: '/v' }
    expect(getStandardFolders(given, plumb, 'server', packaged)).toEqual({
      confdir: '/c',
      vardir: '/v',
      // Another server's certificates are not those of the package's.
      ssldir: '$vardir/ssl',
    })
  })
})
