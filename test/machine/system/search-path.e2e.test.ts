import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { buildSearchPath } from '../../../src/machine/system/search-path.ts'
import { plumbMain } from '../../support/plumb.ts'

describe('the search path', () => {
  it.each([
    ['/usr/local/bin:/usr/bin', '/usr/local/bin:/usr/bin:/usr/sbin:/sbin'],
    ['/sbin:/usr/bin', '/sbin:/usr/bin:/usr/sbin'],
    ['/usr/sbin:/sbin', '/usr/sbin:/sbin'],
    ['', '/usr/sbin:/sbin'],
    [undefined, '/usr/sbin:/sbin'],
  ])('of %j is %s', (inherited, path) => expect(buildSearchPath(inherited)).toBe(path))

  it('leads an ordinary user to the programs of the system', async () => {
    const env = { PATH: '/usr/bin:/bin' }
    const plumb = (...words: string[]) => execa(process.execPath, [plumbMain, ...words], { env })
    expect((await plumb('facts', 'path', '--value-only')).stdout).toBe('/usr/bin:/bin:/usr/sbin:/sbin')
    expect((await plumb('resource', 'user', 'root')).stdout).toMatch(/^user \{ 'root':\n +ensure +=> 'present',/)
  })
})
