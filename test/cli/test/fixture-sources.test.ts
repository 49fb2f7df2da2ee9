import { describe, expect, it } from 'vitest'
import { allowPublicHosts } from '../../../src/cli/test/fixtures.ts'
import { parseRemoteAddress } from '../../../src/code/git/remotes/remote.ts'
import { isAllowedAddress, isListedAddress, readModuleSources } from '../../../src/deploy/puppetfile/allowed-sources.ts'
import { normalizeRemote } from '../../../src/deploy/puppetfile/module-address.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const confdir = scratchFolder('fixture-sources')

function isAllowed(url: string, given: Readonly<Record<string, string>> = {}): boolean {
  const settings = loadSettings({ given: { confdir, ...given }, runMode: 'user' })
  const sources = readModuleSources(allowPublicHosts(settings).puppetfile_sources)
  return isListedAddress(sources, normalizeRemote(parseRemoteAddress(url))!)
}

describe('sources of fixtures', () => {
  it.each([
    ['https://github.com/puppetlabs/puppetlabs-stdlib.git', true],
    ['https://git.example.com:8443/x/y', true],
    ['https://8.8.8.8/x', true],
    ['git@github.com:puppetlabs/puppetlabs-stdlib', true],
    ['ssh://git@git.example.com:2222/x/y', true],
    ['http://github.com/x/y', false],
    ['https://10.0.0.1/x/y', false],
    ['https://127.0.0.1/x/y', false],
    ['https://[::1]/x/y', false],
    ['https://[::ffff:10.0.0.1]/x/y', false],
    ['https://169.254.169.254/latest', false],
    ['https://localhost/x/y', false],
    ['ssh://git@192.168.1.1/x/y', false],
    ['/srv/git/x', false],
  ])('by default: %s %s', (url, expected) => {
    expect(isAllowed(url)).toBe(expected)
  })

  it('are those of the setting', () => {
    const given = { puppetfile_sources: 'https://git.example.com' }
    expect(isAllowed('https://github.com/x/y', given)).toBe(false)
    expect(isAllowed('https://git.example.com/x/y', given)).toBe(true)
  })

  it('have public addresses', () => {
    const sources = readModuleSources(['https://'])
    expect(isAllowedAddress(sources, 'git.example.com', '10.0.0.1')).toBe(false)
    expect(isAllowedAddress(sources, 'git.example.com', '8.8.8.8')).toBe(true)
  })
})
