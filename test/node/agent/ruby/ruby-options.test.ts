import { expect, it } from 'vitest'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { createRubyOptions } from '../../../../src/node/agent/ruby/ruby-options.ts'

it('gives Ruby the facts of old, too, whether or not a run sends them', () => {
  const facts = { os: { family: 'Debian', name: 'Ubuntu', release: { major: '22.04' } }, osfamily: 'Mine' }
  const settings = loadSettings({ given: {}, runMode: 'agent' })
  expect(createRubyOptions({ settings, facts, loadPath: [] }).facts).toMatchObject({
    os: facts.os,
    osfamily: 'Mine',
    operatingsystem: 'Ubuntu',
    operatingsystemmajrelease: '22.04',
  })
})
