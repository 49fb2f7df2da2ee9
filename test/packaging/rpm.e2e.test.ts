import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageRpm } from '../../scripts/package/rpm.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { buildProgram, runInRoot, usage, whyNoPackages } from './package-root.ts'

/** It compresses for minutes: each night. */
const notNow = whyNoPackages(['debootstrap', 'rpmbuild', 'rpm', 'dnf', 'zypper', 'createrepo_c'])

/** The rest of a system, which is not an rpm here. */
const system = `
Name: base-system
Version: 1
Release: 1
Summary: Programs of the root file system
License: MIT
BuildArch: noarch
Provides: glibc = 2.36, libstdc++.so.6()(64bit), /usr/sbin/useradd, /usr/sbin/groupadd, git-core = 2.39, ca-certificates, /bin/sh
%description
Programs of the root file system.
%files
`

/** Package managers, with the words before an operation on \`$0/root\`. */
const managers = {
  dnf: {
    install:
      'dnf -q -y --installroot "$0/root" --disablerepo="*" --repofrompath "local,$0/repository" --nogpgcheck install plumbline',
    remove: 'dnf -q -y --installroot "$0/root" --disablerepo="*" remove plumbline',
  },
  zypper: {
    install:
      'zypper -q --root "$0/root" --non-interactive addrepo --no-gpgcheck "dir:$0/repository" local && zypper -q --root "$0/root" --non-interactive --no-gpg-checks install plumbline',
    remove: 'zypper -q --root "$0/root" --non-interactive remove plumbline',
  },
}

describe.skipIf(notNow)(`the rpm package${notNow}`, () => {
  const folder = scratchFolder('rpm')
  let executable: Awaited<ReturnType<typeof buildProgram>>
  let file: string

  beforeAll(async () => {
    executable = await buildProgram(join(folder, 'program'))
    const repository = join(folder, 'repository')
    file = packageRpm(repository, executable)
    writeFileSync(join(folder, 'base-system.spec'), system)
    const places = ['--define', `_topdir ${folder}/build`, '--define', `_rpmdir ${repository}`]
    execFileSync('rpmbuild', ['-bb', '--quiet', ...places, join(folder, 'base-system.spec')], { stdio: 'ignore' })
    execFileSync('createrepo_c', ['--quiet', repository])
  }, 900_000)

  it('has files of root, none that others may write', () => {
    const listed = execFileSync('rpm', ['-qp', '--dump', file], { encoding: 'utf8' }).trim().split('\n')
    const entries = listed.map((line) => line.split(' '))
    expect(
      entries.filter(
        ([, , , , mode, user, group]) => /[2367].$|[2367]$/.test(mode!.slice(-2)) || `${user}:${group}` !== 'root:root',
      ),
    ).toEqual([])
    const configuration = execFileSync('rpm', ['-qpc', file], { encoding: 'utf8' }).trim().split('\n')
    expect(configuration).toEqual(['/etc/default/plumb-server', '/etc/logrotate.d/plumbline', '/etc/plumb/puppet.conf'])
  })

  it('has the same bytes in a second build', () => {
    const again = packageRpm(join(folder, 'again'), executable)
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true)
  }, 900_000)

  it.each(Object.entries(managers))(
    'is installed by %s without Node, serves, keeps changed settings, is upgraded and removed',
    (name, { install, remove }) => {
      const place = join(folder, name)
      mkdirSync(place)
      execFileSync('cp', ['-a', join(folder, 'repository'), place])
      const script = `
${install} >&2
echo "installed: $(rpm --root "$0/root" -q --qf '%{NAME}' plumbline)"
echo "verified:$(rpm --root "$0/root" -V plumbline)"
enter bash /tmp/use-package.sh
echo '# changed' >>"$0/root/etc/plumb/puppet.conf"
rpm --root "$0/root" -U --force "$0"/repository/plumbline-*.rpm
echo "kept: $(tail -1 "$0/root/etc/plumb/puppet.conf") $(enter stat -c %U /var/lib/plumb-server/ssl)"
${remove} >&2
[ -e "$0/root/usr/bin/plumb" ] || echo removed
echo "left: $(ls "$0/root/etc/plumb" | tr '\\n' ' ')$(enter stat -c %U /etc/plumb/ca/ca_key.pem)"
`
      expect(runInRoot(place, {}, script)).toEqual([
        'installed: plumbline',
        'verified:',
        ...usage,
        'kept: # changed plumb',
        'removed',
        'left: ca code puppet.conf.rpmsave ssl plumb',
      ])
    },
    1_200_000,
  )
})
