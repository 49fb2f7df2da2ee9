import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { puppetVersion } from '../../../src/base/puppet-version.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('names')

describe('a program called by another name', () => {
  it('is what the link says, with what it starts', async () => {
    const bin = join(folder, 'called')
    mkdirSync(bin)
    for (const name of ['puppet', 'facter', 'hiera']) symlinkSync(plumbMain, join(bin, name))
    const said = async (name: string, ...words: string[]) => (await execa(join(bin, name), words)).stdout
    expect(await said('puppet', '--version')).toBe(puppetVersion)
    expect(await said('facter', '--vardir', folder, 'kernel')).toBe('Linux')
    const places = ['--confdir', folder, '--vardir', join(folder, 'var'), '--publicdir', join(folder, 'public')]
    const code = `exec { '${plumbMain} config print logdir': logoutput => true }`
    const printed = await said('puppet', 'apply', ...places, '-e', code)
    expect(printed).toContain('puppetlabs')
  })
})
