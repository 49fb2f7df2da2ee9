import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { installRpms, redHat } from './systems.ts'

/** Versions that are excluded from each transaction. */
const lock = (...patterns: readonly string[]): string =>
  patterns.map((pattern) => `echo '${pattern}' >> /etc/dnf/plugins/versionlock.list`).join('\n')

const alpha = (setup: string, attributes: string): ManagerCase => ({
  setup,
  manifest: `package { 'alpha': ${attributes} }`,
})
const alphaAt = (version: string, attributes: string): ManagerCase => alpha(installRpms(`alpha-${version}`), attributes)

applyWithManagers(
  import.meta.filename,
  'locks, architectures, capabilities and options of dnf',
  redHat,
  {
    'a range of a package whose versions are locked': alpha(
      `${installRpms('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`,
      "ensure => '<1.0'",
    ),
    'latest of a locked package': alpha(`${installRpms('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`, 'ensure => latest'),
    'present of a package that is locked to an older version': alpha(lock('alpha-0:1.1-1.*'), ''),
    'a version that a lock excludes': alpha(
      `${installRpms('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`,
      "ensure => '2.0-1'",
    ),
    'a locked package that is to be absent': alpha(
      `${installRpms('alpha-1.0')}; ${lock('alpha-0:1.0-1.*')}`,
      'ensure => absent',
    ),
    'a package to hold': "package { 'alpha': mark => hold }",
    'an architecture in the name': "package { 'both.i686': }",
    'an architecture in the name, with a version': "package { 'both.i686': ensure => '1.0-1' }",
    'latest of an architecture': {
      setup: installRpms('both-1.0-1.x86_64', 'both-1.0-1.i686'),
      manifest: "package { 'both.i686': ensure => latest }",
    },
    'an architecture to be absent': {
      setup: installRpms('both-1.0-1.x86_64', 'both-1.0-1.i686'),
      manifest: "package { 'both.i686': ensure => absent }",
    },
    'both architectures to be absent': {
      setup: installRpms('both-1.0-1.x86_64', 'both-1.0-1.i686'),
      manifest: "package { 'both': ensure => absent }",
    },
    'an older version of both architectures': {
      setup: installRpms('both-2.0-1.x86_64', 'both-2.0-1.i686'),
      manifest: "package { 'both': ensure => '1.0-1' }",
    },
    'a capability': "package { 'virtual-server': }",
    'a capability that is to be absent': {
      setup: installRpms('server-1.0'),
      manifest: "package { 'virtual-server': ensure => absent }",
    },
    'latest of a capability': {
      setup: installRpms('server-1.0'),
      manifest: "package { 'virtual-server': ensure => latest }",
    },
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
      setup: `${installRpms('alpha-1.0')}; rm -r /srv/rpm /var/cache/dnf/*`,
      manifest: "package { 'alpha': ensure => latest }",
    },
    'packages that are only installed': {
      setup: installRpms('kernel-5.1'),
      manifest: "package { 'kernel': ensure => '5.2-1', install_only => true }",
    },
    'packages that are only installed, to be absent': {
      setup: installRpms('kernel-5.1', 'kernel-5.2'),
      manifest: "package { 'kernel': ensure => absent, install_only => true }",
    },
    'packages that are installed several times': {
      setup: installRpms('kernel-5.1', 'kernel-5.2'),
      manifest: "package { 'kernel': ensure => '5.2-1' }",
    },
    'latest of packages that are installed several times': {
      setup: installRpms('kernel-5.1', 'kernel-5.2'),
      manifest: "package { 'kernel': ensure => latest, install_only => true }",
    },
    'options that are wrong': "package { 'alpha': install_options => ['--nosuch'] }",
    'options with spaces': "package { 'alpha': install_options => [{ '--setopt' => 'tsflags=nodocs test' }] }",
    'options for removals': "package { 'alpha': ensure => absent, uninstall_options => ['--nodeps'] }",
    'no changes': {
      setup: installRpms('alpha-1.0', 'base-1.0', 'server-1.0'),
      manifest: `package { 'alpha': ensure => latest } package { 'base': ensure => '2.0-1' }
        package { 'server': ensure => purged } package { 'tilde': }`,
      noop: true,
    },
    'a refresh': "notify { 'x': } ~> package { 'alpha': reinstall_on_refresh => true }",
    'settings, a flavor and a disabled package': {
      manifest: "package { 'alpha': package_settings => 'x', flavor => 'y', enable_only => true }",
    },
    disabled: "package { 'alpha': ensure => disabled }",
    'a package under another title':
      "package { 'title': name => 'alpha', provider => dnf } package { 'other': name => 'alpha', provider => rpm, source => '/srv/files/alpha-1.0-1.noarch.rpm' }",
    'the provider yum': {
      setup: installRpms('alpha-1.0', 'base-2.0'),
      manifest: `Package { provider => yum }
        package { 'alpha': ensure => latest } package { 'base': ensure => '1.0-1' } package { 'server': }
        package { 'epoch': ensure => '<2' } package { 'tilde': ensure => absent } package { 'nosuch': }`,
    },
  },
  'OpenVox 8.28.1',
)
