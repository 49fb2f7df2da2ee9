import { expect, it } from 'vitest'
import { listWindowsFactFolders } from '../../../src/node/facts/windows-folders.ts'

it("uses the folders of Puppet only together with Puppet's other folders", () => {
  expect(listWindowsFactFolders({})).toEqual({
    facts: 'C:/ProgramData/Plumbline/facts.d',
    conf: 'C:/ProgramData/Plumbline/etc/facter.conf',
  })
  expect(listWindowsFactFolders({ PLUMB_FOLDERS: 'puppet' })).toEqual({
    facts: 'C:/ProgramData/PuppetLabs/facter/facts.d',
    conf: 'C:/ProgramData/PuppetLabs/facter/etc/facter.conf',
  })
})
