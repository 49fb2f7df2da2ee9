import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageDeb } from '../../scripts/package/deb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { buildProgram, runInRoot, usage, whyNoPackages } from './package-root.ts'

/** It compresses for minutes: each night. */
const notNow = whyNoPackages(['debootstrap', 'dpkg-deb'])

describe.skipIf(notNow)(`the Debian package${notNow}`, () => {
  const folder = scratchFolder('debian')
  let executable: Awaited<ReturnType<typeof buildProgram>>
  let file: string

  beforeAll(async () => {
    executable = await buildProgram(join(folder, 'program'))
    file = packageDeb(folder, executable)
  }, 900_000)

  it('has files of root, none that others may write, and scripts that a shell reads', () => {
    const listed = execFileSync('dpkg-deb', ['-c', file], { encoding: 'utf8', maxBuffer: 1 << 26 })
      .trim()
      .split('\n')
    expect(listed.filter((line) => !/^[-dl]\S+ root\/root /.test(line))).toEqual([])
    expect(listed.filter((line) => /^[-d]....(?:w|...w)/.test(line))).toEqual([])
    const control = join(folder, 'control')
    execFileSync('dpkg-deb', ['-e', file, control])
    for (const script of ['postinst', 'prerm', 'postrm']) execFileSync('sh', ['-n', join(control, script)])
    const field = (name: string) => execFileSync('dpkg-deb', ['-f', file, name], { encoding: 'utf8' }).trim()
    expect(field('Depends')).toBe('libc6 (>= 2.28), libstdc++6')
  })

  it('has the same bytes in a second build', () => {
    const again = packageDeb(join(folder, 'again'), executable)
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true)
  }, 900_000)

  it('installs without Node, serves, shows the demo, is upgraded, removed and purged', () => {
    const lines = runInRoot(folder, { 'plumbline.deb': file }, 'enter bash /tmp/try-package.sh')
    expect(lines).toEqual([
      'installed: install ok installed',
      'verified:',
      ...usage,
      'separated: root 755 plumb 750 root 755 root 755 plumb 750 ',
      'agent has: ./state/state.yaml ',
      'server has: 1',
      'shadow: root 640',
      'kept: # changed',
      'removed',
      'the certificate authority in /etc/plumb/ca stays',
      'purged',
      'left: ca',
    ])
  }, 1_200_000)
})
