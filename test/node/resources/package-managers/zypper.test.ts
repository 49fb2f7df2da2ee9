import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { installRpms, suse } from './systems.ts'

const zypper = (words: string): string => `zypper --quiet --non-interactive ${words} >/dev/null 2>&1`
const alphaAt = (version: string, attributes: string, more = ''): ManagerCase => ({
  setup: `${installRpms(`alpha-${version}`)}; ${more}`,
  manifest: `package { 'alpha': ${attributes} }`,
})

applyWithManagers(import.meta.filename, 'zypper', suse, {
  present: "package { 'alpha': }",
  'present in an older version': alphaAt('1.0', ''),
  'several packages': "package { ['alpha', 'server', 'python3.11', 'under_score+plus', 'tilde']: }",
  'a missing package': "package { 'nosuch': } package { 'alpha': }",
  absent: alphaAt('1.0', 'ensure => absent'),
  'absent already': "package { 'nosuch': ensure => absent }",
  'absent with the packages that require it': {
    setup: installRpms('base-1.0-1.noarch', 'needy-1.0-1.noarch'),
    manifest: "package { 'base': ensure => absent }",
  },
  purged: alphaAt('1.0', 'ensure => purged'),
  'latest of a missing package': "package { 'alpha': ensure => latest }",
  'latest of an old version': alphaAt('1.0', 'ensure => latest'),
  'latest of the newest version': alphaAt('2.0', 'ensure => latest'),
  'latest of many': {
    setup: installRpms('alpha-1.0-1.noarch', 'epoch-1.0-1.noarch', 'release-1.0-1.el9.noarch', 'base-1.0-1.noarch'),
    manifest: "package { ['alpha', 'epoch', 'release', 'base', 'server', 'tilde']: ensure => latest }",
  },
  'a version': "package { 'alpha': ensure => '1.1' }",
  'a version with release': "package { 'alpha': ensure => '1.1-1' }",
  'a newer version': alphaAt('1.0', "ensure => '2.0-1'"),
  'an older version': alphaAt('2.0', "ensure => '1.1-1'"),
  'an older version, with an option': alphaAt('2.0', "ensure => '1.1-1', install_options => ['--oldpackage']"),
  'a missing version': alphaAt('1.0', "ensure => '9.0'"),
  'a version with epoch': "package { 'epoch': ensure => '1:1.0-1' }",
  'a version without its epoch': "package { 'epoch': ensure => '1.0-1' }",
  'a version without virtual packages': "package { 'alpha': ensure => '1.1-1', allow_virtual => false }",
  'a range': "package { 'alpha': ensure => '>=1.0 <2.0' }",
  'a range with a newer version': alphaAt('1.0', "ensure => '>1.0'"),
  'a range with an older version': alphaAt('2.0', "ensure => '<2.0'"),
  'a range with the installed version': alphaAt('1.1', "ensure => '>=1.0 <2.0'"),
  'a range without a version': alphaAt('1.0', "ensure => '>3.0'"),
  'a range of a missing package': "package { 'nosuch': ensure => '>1.0' }",
  'a range with an epoch': {
    setup: installRpms('epoch-1.0-1.noarch'),
    manifest: "package { 'epoch': ensure => '>=1:1.5' }",
  },
  'latest of a locked package': alphaAt('1.0', 'ensure => latest', zypper('addlock alpha')),
  'a version of a locked package': alphaAt('1.0', "ensure => '2.0-1'", zypper('addlock alpha')),
  'a range of a locked package': alphaAt('1.0', "ensure => '>1.0'", zypper('addlock alpha')),
  'a locked package that is missing': { setup: zypper('addlock alpha'), manifest: "package { 'alpha': }" },
  'a locked package that is to be absent': alphaAt('1.0', 'ensure => absent', zypper('addlock alpha')),
  'latest after the lock was removed': alphaAt(
    '1.0',
    'ensure => latest',
    `${zypper('addlock alpha')}; ${zypper('removelock alpha')}`,
  ),
  'a package to hold': "package { 'alpha': mark => hold }",
  'an architecture in the name': "package { 'both.i686': }",
  'an architecture of two to be absent': {
    setup: installRpms('both-1.0-1.x86_64', 'both-1.0-1.i686'),
    manifest: "package { 'both': ensure => absent }",
  },
  'latest of two architectures': {
    setup: installRpms('both-1.0-1.x86_64', 'both-1.0-1.i686'),
    manifest: "package { 'both': ensure => latest }",
  },
  'a capability': "package { 'virtual-server': }",
  'a capability that is to be absent': {
    setup: installRpms('server-1.0-1.noarch'),
    manifest: "package { 'virtual-server': ensure => absent }",
  },
  'a capability without virtual packages': "package { 'virtual-server': allow_virtual => false }",
  'a package without virtual packages': "package { 'alpha': allow_virtual => false }",
  'a replaced name': "package { 'oldname': }",
  'a package with a missing dependency': "package { 'broken': }",
  'a package whose script fails': "package { 'failing': }",
  'a broken repository': {
    setup: 'rm -r /srv/rpm /var/cache/zypp/*',
    manifest: "package { 'alpha': } package { 'base': ensure => latest }",
  },
  'packages that are installed several times': {
    setup: installRpms('kernel-5.1-1.noarch', 'kernel-5.2-1.noarch'),
    manifest: "package { 'kernel': ensure => '5.2-1' }",
  },
  'options that are wrong': "package { 'alpha': install_options => ['--nosuch'] }",
  'options before the command': "package { 'alpha': install_options => ['--no-gpg-checks', '--no-recommends'] }",
  'no changes': {
    setup: installRpms('alpha-1.0-1.noarch', 'base-1.0-1.noarch', 'server-1.0-1.noarch'),
    manifest: `package { 'alpha': ensure => latest } package { 'base': ensure => '2.0-1' }
      package { 'server': ensure => absent } package { 'tilde': }`,
    noop: true,
  },
})
