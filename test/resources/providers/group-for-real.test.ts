import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const mayChange = process.env['CI'] === 'true' && process.getuid?.() === 0
const folder = scratchFolder('group')

const name = 'plumbtest'
const line = () => new RegExp(`^${name}:.*$`, 'm').exec(readFileSync('/etc/group', 'utf8'))?.[0]

async function apply(code: string): Promise<number> {
  const io = { stdin: process.stdin, color: false, out: () => {}, err: () => {} }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  return run(['apply', '--detailed-exitcodes', '-e', code, ...places], io)
}

describe.skipIf(!mayChange)('a real group (needs root, and CI=true as leave to change the machine)', () => {
  it('is there once made, stays as it is, changes, and goes', async () => {
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
