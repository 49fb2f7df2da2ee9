import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { plumbMain } from '../../../support/plumb.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const name = 'plumbtest'
const folder = scratchFolder('group')
const etc = join(folder, 'etc')
const line = () => new RegExp(`^${name}:.*$`, 'm').exec(readFileSync(join(etc, 'group'), 'utf8'))?.[0]

/** Applied by an agent that sees a copy of /etc, so that the machine stays as it is. */
async function apply(code: string): Promise<number | undefined> {
  const enter = ['-m', 'sh', '-c', 'mount --bind "$0" /etc && exec "$@"', etc]
  const places = ['--confdir', join(folder, 'conf'), '--vardir', join(folder, 'var'), '--certname', 'node']
  const words = [process.execPath, plumbMain, 'apply', '--detailed-exitcodes', '-e', code, ...places]
  const { exitCode } = await execa('unshare', [...enter, ...words], { reject: false })
  return exitCode
}

describe.skipIf(process.getuid?.() !== 0)('a group, by groupadd and its like (needs root)', () => {
  it('is there once made, stays as it is, changes, and goes', async () => {
    cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true })
    expect(await apply(`group { '${name}': gid => 64321 }`)).toBe(2)
    expect(line()).toBe(`${name}:x:64321:`)
    expect(await apply(`group { '${name}': gid => 64321 }`)).toBe(0)
    expect(await apply(`group { '${name}': gid => 64322 }`)).toBe(2)
    expect(line()).toBe(`${name}:x:64322:`)
    expect(await apply(`group { '${name}': ensure => absent }`)).toBe(2)
    expect(line()).toBeUndefined()
    expect(await apply(`group { '${name}': ensure => absent }`)).toBe(0)
  })
})
