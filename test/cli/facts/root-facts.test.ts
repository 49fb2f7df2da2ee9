import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootDirectory } from '../../node/facts/root/root-directory.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const alma = {
  '/etc/os-release': 'NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.6"\n',
  '/etc/redhat-release': 'AlmaLinux release 9.6 (Sage Margay)\n',
}

const folder = scratchFolder('root-facts')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const facts = (...words: readonly string[]) => runHere(['facts', ...words, ...places])

describe('facts --root', () => {
  it('prints the facts of the root directory, and none of this machine', async () => {
    const { status, out, err } = await facts('--root', rootDirectory(alma), '-j')
    expect([status, err]).toEqual([0, ''])
    const found = JSON.parse(out) as Readonly<Record<string, unknown>>
    expect(Object.keys(found)).toEqual(['facterversion', 'identity', 'kernel', 'os', 'puppetversion', 'timezone'])
    expect(found['os']).toMatchObject({ name: 'AlmaLinux', family: 'RedHat', release: { full: '9.6' } })
    expect(found['timezone']).toBe('UTC')
  })

  it('prints single facts, legacy facts, and the form of puppet facts', async () => {
    const root = rootDirectory(alma)
    expect((await facts('--root', root, 'os.release.major')).out).toBe('9\n')
    expect((await facts('--root', root, 'operatingsystem')).out).toBe('AlmaLinux\n')
    expect(JSON.parse((await facts('show', 'os.family', '--root', root)).out)).toEqual({ 'os.family': 'RedHat' })
    expect(JSON.parse((await facts('find', 'web1', '--root', root)).out)).toMatchObject({ name: 'web1' })
  })

  it('has the external facts of the root directory, of which none is executed', async () => {
    const root = rootDirectory({
      ...alma,
      '/etc/facter/facts.d/role.yaml': 'role: web\n',
      '/etc/facter/facts.d/site.txt': 'site=boston\n',
      '/etc/facter/facts.d/notes': 'no program\n',
      '/etc/facter/facts.d/run.sh': `#!/bin/sh\ntouch ${folder}/executed\necho run=1\n`,
      '/opt/more/tier.json': '{"tier": 2}',
    })
    chmodSync(join(root, 'etc/facter/facts.d/run.sh'), 0o755)
    const { status, out, err } = await facts('--root', root, '-j', 'role', 'site', 'run')
    expect(JSON.parse(out)).toEqual({ role: 'web', run: null, site: 'boston' })
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(/WARN Facter - External fact \/etc\/.*run.sh is not executed \n$/),
    ])
    expect((await facts('--root', root, '--external-dir', '/opt/more', 'tier')).out).toBe('2\n')
    expect((await facts('--root', root, '--no-external-facts', 'role')).out).toBe('\n')
  })

  it('reads no external fact outside of the root directory', async () => {
    writeFileSync(join(folder, 'secret.json'), '{"secret": 1}')
    const root = rootDirectory(alma)
    mkdirSync(join(root, 'etc/facter/facts.d'), { recursive: true })
    symlinkSync(join(folder, 'secret.json'), join(root, 'etc/facter/facts.d/a.json'))
    symlinkSync(folder, join(root, 'etc/plumb'))
    symlinkSync('/proc/self/environ', join(root, 'etc/facter/facts.d/b.txt'))
    const { out } = await facts('--root', root, '-j')
    expect(JSON.parse(out)).not.toHaveProperty('secret')
    expect(Object.keys(JSON.parse(out))).toHaveLength(6)
  })
})

describe('facts --root fails', () => {
  it.each([
    [['--root', '/nonexistent'], "Error: The directory '/nonexistent' does not exist\n  Mount the image"],
    [['--root', folder], 'is not the root of a file system: it contains no directory etc\n  Give the directory'],
    [['--root', import.meta.filename], 'is not the root of a file system'],
    [['upload', '--root', folder], '--root and the action upload conflict'],
    [['show', '--root', folder, '--custom-dir', folder], '--root and --custom-dir conflict'],
    [['--root', folder, '--config', 'facter.conf'], 'Omit --root, or omit --config.'],
    [['--root', folder, '--list-block-groups'], '--root and --list-block-groups conflict'],
  ])('with %s', async (words, message) => {
    const { status, out, err } = await facts(...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toContain(message)
  })
})
