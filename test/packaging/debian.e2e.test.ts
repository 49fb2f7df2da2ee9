import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageDeb } from '../../scripts/package-deb.js'
import { whyNotMount } from '../support/may-mount.ts'
import { isNight } from '../support/nightly.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { debianBase } from './debian-base.ts'

const root = join(import.meta.dirname, '../..')
const hasDebian = existsSync('/usr/sbin/debootstrap') && existsSync('/usr/bin/dpkg-deb')
/** It compresses for minutes: each night. */
const notNow =
  whyNotMount() ||
  (hasDebian ? '' : ' (left out: dpkg-deb and debootstrap are not here)') ||
  (isNight ? '' : ' (left out but with CI_NIGHTLY=1: it takes minutes)')

/** Has a Debian of its own in `$0`/root, above the one in `$1`; all that it writes is gone afterwards. */
const inside = `
mount -t tmpfs none "$0/up"; mkdir "$0/up/u" "$0/up/w"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$0/up/u,workdir=$0/up/w" "$0/root"
mount -t proc proc "$0/root/proc"; mount --rbind /dev "$0/root/dev"
cp "$0/files/"* "$0/root/tmp/"
exec unshare -n chroot "$0/root" bash /tmp/try-package.sh
`

describe.skipIf(notNow)(`the Debian package${notNow}`, () => {
  const folder = scratchFolder('debian')
  let file: string

  beforeAll(() => {
    file = packageDeb(folder)
  }, 900_000)

  it('has files of root’s, none that others may write, and scripts that a shell reads', () => {
    const listed = execFileSync('dpkg-deb', ['-c', file], { encoding: 'utf8', maxBuffer: 1 << 26 })
      .trim()
      .split('\n')
    expect(listed.filter((line) => !/^[-dl]\S+ root\/root /.test(line))).toEqual([])
    expect(listed.filter((line) => /^[-d]....(?:w|...w)/.test(line))).toEqual([])
    expect(
      listed.filter((line) => /\/node_modules\/(?:vitest|typescript|playwright-core|rolldown)\//.test(line)),
    ).toEqual([])
    const control = join(folder, 'control')
    execFileSync('dpkg-deb', ['-e', file, control])
    for (const script of ['postinst', 'prerm', 'postrm']) execFileSync('sh', ['-n', join(control, script)])
    const field = (name: string) => execFileSync('dpkg-deb', ['-f', file, name], { encoding: 'utf8' }).trim()
    expect(field('Depends')).toContain('nodejs (>= 20.19)')
  })

  it('installs, serves, shows the demo, is upgraded, removed and purged', () => {
    const files = join(folder, 'files')
    for (const each of ['files', 'up', 'root', 'nodejs/DEBIAN', 'nodejs/usr/bin'])
      mkdirSync(join(folder, each), { recursive: true })
    const node = join(folder, 'nodejs')
    cpSync(process.execPath, join(node, 'usr/bin/node'), { dereference: true })
    const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()
    const about = {
      Package: 'nodejs',
      Version: process.versions.node,
      Architecture: architecture,
      Maintainer: 'Test <test@example.test>',
      Description: 'Node.js of this machine',
    }
    writeFileSync(
      join(node, 'DEBIAN/control'),
      Object.entries(about)
        .map((each) => `${each.join(': ')}\n`)
        .join(''),
    )
    execFileSync('dpkg-deb', ['-Znone', '--build', node, join(files, 'nodejs.deb')])
    cpSync(file, join(files, 'plumbline.deb'))
    cpSync(join(root, 'ext/docker/health.mjs'), join(files, 'health.mjs'))
    cpSync(join(import.meta.dirname, 'try-package.sh'), join(files, 'try-package.sh'))
    const base = debianBase(folder)
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-m', '-p', '-f', '--mount-proc', 'sh', '-ec', inside, folder, base],
      { encoding: 'utf8' },
    )
    const { version } = JSON.parse(execFileSync('cat', [join(root, 'package.json')], { encoding: 'utf8' }))
    expect(stdout.trim().split('\n'), stderr).toEqual([
      'needs nodejs',
      'installed: install ok installed',
      `version: ${version}`,
      'verified:',
      'modes: root 755 plumb 750 root 755 root 755 plumb 750 ',
      'healthy',
      'nobody on another port',
      "server's vardir: /var/lib/plumb-server /var/lib/plumb-server",
      "agent's vardir: /var/lib/plumb",
      'as server: 1',
      'adopted: 1 root 600',
      'agent again: 0',
      'foreign: 0',
      'refused: 1 1',
      'ended: 0',
      'key: plumb 600',
      'demo: 0',
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
