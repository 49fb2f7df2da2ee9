import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { redHat } from './systems.ts'

const installed = (...names: readonly string[]): string => `dnf -q -y install ${names.join(' ')} >/dev/null 2>&1`

/** Versions that are excluded from each transaction. */
const lock = (...patterns: readonly string[]): string =>
  patterns.map((pattern) => `echo '${pattern}' >> /etc/dnf/plugins/versionlock.list`).join('\n')

const alpha = (setup: string, attributes: string): ManagerCase => ({
  setup,
  manifest: `package { 'alpha': ${attributes} }`,
})
const alphaAt = (version: string, attributes: string): ManagerCase => alpha(installed(`alpha-${version}`), attributes)

applyWithManagers(import.meta.filename, 'dnf', redHat, {
  present: "package { 'alpha': }",
  'present in an older version': alphaAt('1.0', ''),
  'several packages': "package { ['alpha', 'server', 'python3.11', 'under_score+plus', 'tilde']: }",
  'a missing package': "package { 'nosuch': } package { 'alpha': }",
  'a missing package, which is to be absent': "package { 'nosuch': ensure => absent }",
  absent: alphaAt('1.0', 'ensure => absent'),
  'absent, but required by another package': {
    setup: installed('needy'),
    manifest: "package { 'base': ensure => absent }",
  },
  purged: alphaAt('1.0', 'ensure => purged'),
  'purged with the packages that require it': {
    setup: installed('needy'),
    manifest: "package { 'base': ensure => purged }",
  },
  'purged with a changed configuration file': {
    setup: `${installed('configured')}; echo second > /opt/packages/configured.conf`,
    manifest: "package { 'configured': ensure => purged }",
  },
  'latest of a missing package': "package { 'alpha': ensure => latest }",
  'latest of an old version': alphaAt('1.0', 'ensure => latest'),
  'latest of the newest version': alphaAt('2.0', 'ensure => latest'),
  'latest with a repository that is disabled': alphaAt(
    '1.0',
    "ensure => latest, install_options => ['--enablerepo=extra']",
  ),
  'latest without a repository': alphaAt('1.0', "ensure => latest, install_options => [{ '--disablerepo' => 'rpm' }]"),
  'latest of many': {
    setup: installed('alpha-1.0', 'epoch-1.0', 'release-1.0-1.el9', 'base-1.0', 'server'),
    manifest: "package { ['alpha', 'epoch', 'release', 'base', 'server', 'tilde']: ensure => latest }",
  },
  'latest of an obsolete package': {
    setup: 'rpm -i /srv/rpm/oldname-1.0-1.noarch.rpm',
    manifest: "package { 'oldname': ensure => latest }",
  },
  'a version': "package { 'alpha': ensure => '1.1' }",
  'a version with release': "package { 'alpha': ensure => '1.1-1' }",
  'a version with architecture': "package { 'alpha': ensure => '1.1-1.noarch' }",
  'a newer version': alphaAt('1.0', "ensure => '2.0-1'"),
  'an older version': alphaAt('2.0', "ensure => '1.1-1'"),
  'the installed version': alphaAt('1.1', "ensure => '1.1'"),
  'a missing version': alphaAt('1.0', "ensure => '9.0'"),
  'a version with epoch': "package { 'epoch': ensure => '1:1.0-1' }",
  'a version without its epoch': "package { 'epoch': ensure => '1.0-1' }",
  'an older version with epoch': { setup: installed('epoch'), manifest: "package { 'epoch': ensure => '1:1.0-1' }" },
  'a newer release': {
    setup: installed('release-1.0-2.el9'),
    manifest: "package { 'release': ensure => '1.0-10.el9' }",
  },
  'an older release': { setup: installed('release'), manifest: "package { 'release': ensure => '1.0-2.el9' }" },
  'a version without its release': {
    setup: installed('release-1.0-2.el9'),
    manifest: "package { 'release': ensure => '1.0' }",
  },
  'a version with a tilde': "package { 'tilde': ensure => '1.0~rc1-1' }",
  'a range': "package { 'alpha': ensure => '>=1.0 <2.0' }",
  'a range with a newer version': alphaAt('1.0', "ensure => '>1.0'"),
  'a range with an older version': alphaAt('2.0', "ensure => '<2.0'"),
  'a range with the installed version': alphaAt('1.1', "ensure => '>=1.0 <2.0'"),
  'a range without a version': alphaAt('1.0', "ensure => '>3.0'"),
  'a range of a missing package': "package { 'nosuch': ensure => '>1.0' }",
  'a range with an epoch': { setup: installed('epoch-1.0'), manifest: "package { 'epoch': ensure => '>=1:1.5' }" },
  'a range of a package whose versions are locked': alpha(
    `${installed('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`,
    "ensure => '<1.0'",
  ),
  'latest of a locked package': alpha(`${installed('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`, 'ensure => latest'),
  'present of a package that is locked to an older version': alpha(lock('alpha-0:1.1-1.*'), ''),
  'a version that a lock excludes': alpha(`${installed('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`, "ensure => '2.0-1'"),
  'a locked package that is to be absent': alpha(
    `${installed('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`,
    'ensure => absent',
  ),
  'a package to hold': "package { 'alpha': mark => hold }",
  'an architecture in the name': "package { 'both.i686': }",
  'an architecture in the name, with a version': "package { 'both.i686': ensure => '1.0-1' }",
  'latest of an architecture': {
    setup: installed('both-1.0-1.x86_64', 'both-1.0-1.i686'),
    manifest: "package { 'both.i686': ensure => latest }",
  },
  'an architecture to be absent': {
    setup: installed('both-1.0-1.x86_64', 'both-1.0-1.i686'),
    manifest: "package { 'both.i686': ensure => absent }",
  },
  'both architectures to be absent': {
    setup: installed('both-1.0-1.x86_64', 'both-1.0-1.i686'),
    manifest: "package { 'both': ensure => absent }",
  },
  'an older version of both architectures': {
    setup: installed('both-2.0-1.x86_64', 'both-2.0-1.i686'),
    manifest: "package { 'both': ensure => '1.0-1' }",
  },
  'a capability': "package { 'virtual-server': }",
  'a capability that is to be absent': {
    setup: installed('server'),
    manifest: "package { 'virtual-server': ensure => absent }",
  },
  'latest of a capability': { setup: installed('server'), manifest: "package { 'virtual-server': ensure => latest }" },
  'a capability without virtual packages': "package { 'virtual-server': allow_virtual => false }",
  'a package without virtual packages': "package { 'alpha': allow_virtual => false }",
  'a missing package without virtual packages': "package { 'nosuch': allow_virtual => false }",
  'a path': "package { '/opt/packages/server': }",
  'a replaced name': "package { 'oldname': ensure => '1.0-1' }",
  'a package with a missing dependency': "package { 'broken': }",
  'a package whose script fails': "package { 'failing': }",
  'a file as source': "package { 'alpha': source => '/srv/files/alpha-1.1-1.noarch.rpm' }",
  'a file as source of a version': alphaAt('2.0', "ensure => '1.1-1', source => '/srv/files/alpha-1.1-1.noarch.rpm'"),
  'a file as source that is missing': "package { 'alpha': source => '/srv/files/nosuch.rpm' }",
  'a broken repository': { setup: 'rm -r /srv/rpm /var/cache/dnf/*', manifest: "package { 'alpha': }" },
  'latest with a broken repository': {
    setup: `${installed('alpha-1.0')}; rm -r /srv/rpm /var/cache/dnf/*`,
    manifest: "package { 'alpha': ensure => latest }",
  },
  'packages that are only installed': {
    setup: installed('kernel-5.1'),
    manifest: "package { 'kernel': ensure => '5.2-1', install_only => true }",
  },
  'packages that are only installed, to be absent': {
    setup: installed('kernel-5.1', 'kernel-5.2'),
    manifest: "package { 'kernel': ensure => absent, install_only => true }",
  },
  'packages that are installed several times': {
    setup: installed('kernel-5.1', 'kernel-5.2'),
    manifest: "package { 'kernel': ensure => '5.2-1' }",
  },
  'latest of packages that are installed several times': {
    setup: installed('kernel-5.1', 'kernel-5.2'),
    manifest: "package { 'kernel': ensure => latest, install_only => true }",
  },
  'options that are wrong': "package { 'alpha': install_options => ['--nosuch'] }",
  'options with spaces': "package { 'alpha': install_options => [{ '--setopt' => 'tsflags=nodocs test' }] }",
  'options for removals': "package { 'alpha': ensure => absent, uninstall_options => ['--nodeps'] }",
  'no changes': {
    setup: installed('alpha-1.0', 'base-1.0', 'server'),
    manifest: `package { 'alpha': ensure => latest } package { 'base': ensure => '2.0-1' }
      package { 'server': ensure => purged } package { 'tilde': }`,
    noop: true,
  },
  'a refresh': "notify { 'x': } ~> package { 'alpha': reinstall_on_refresh => true }",
  'settings, a flavor and a disabled package': {
    manifest: "package { 'alpha': package_settings => 'x', flavor => 'y', enable_only => true }",
  },
  disabled: "package { 'alpha': ensure => disabled }",
  'a package under another title': "package { 'title': name => 'alpha', provider => dnf } package { 'other': name => 'alpha', provider => rpm, source => '/srv/files/alpha-1.0-1.noarch.rpm' }",
  'the provider yum': {
    setup: installed('alpha-1.0', 'base'),
    manifest: `Package { provider => yum }
      package { 'alpha': ensure => latest } package { 'base': ensure => '1.0-1' } package { 'server': }
      package { 'epoch': ensure => '<2' } package { 'tilde': ensure => absent } package { 'nosuch': }`,
  },
})
