import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { installRpms, redHat } from './systems.ts'

const alpha = (setup: string, attributes: string): ManagerCase => ({
  setup,
  manifest: `package { 'alpha': ${attributes} }`,
})
const alphaAt = (version: string, attributes: string): ManagerCase => alpha(installRpms(`alpha-${version}`), attributes)

applyWithManagers(
  import.meta.filename,
  'dnf',
  redHat,
  {
    present: "package { 'alpha': }",
    'present in an older version': alphaAt('1.0', ''),
    'several packages': "package { ['alpha', 'server', 'python3.11', 'under_score+plus', 'tilde']: }",
    'a missing package': "package { 'nosuch': } package { 'alpha': }",
    'a missing package, which is to be absent': "package { 'nosuch': ensure => absent }",
    absent: alphaAt('1.0', 'ensure => absent'),
    'absent, but required by another package': {
      setup: installRpms('base-2.0', 'needy-1.0'),
      manifest: "package { 'base': ensure => absent }",
    },
    purged: alphaAt('1.0', 'ensure => purged'),
    'purged with the packages that require it': {
      setup: installRpms('base-2.0', 'needy-1.0'),
      manifest: "package { 'base': ensure => purged }",
    },
    'purged with a changed configuration file': {
      setup: `${installRpms('configured-1.0')}; echo second > /opt/packages/configured.conf`,
      manifest: "package { 'configured': ensure => purged }",
    },
    'latest of a missing package': "package { 'alpha': ensure => latest }",
    'latest of an old version': alphaAt('1.0', 'ensure => latest'),
    'latest of the newest version': alphaAt('2.0', 'ensure => latest'),
    'latest with a repository that is disabled': alphaAt(
      '1.0',
      "ensure => latest, install_options => ['--enablerepo=extra']",
    ),
    'latest without a repository': alphaAt(
      '1.0',
      "ensure => latest, install_options => [{ '--disablerepo' => 'rpm' }]",
    ),
    'latest of many': {
      setup: installRpms('alpha-1.0', 'epoch-1.0', 'release-1.0-1.el9', 'base-1.0', 'server-1.0'),
      manifest: "package { ['alpha', 'epoch', 'release', 'base', 'server', 'tilde']: ensure => latest }",
    },
    'latest of an obsolete package': {
      setup: installRpms('oldname-1.0'),
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
    'an older version with epoch': {
      setup: installRpms('epoch-2.0'),
      manifest: "package { 'epoch': ensure => '1:1.0-1' }",
    },
    'a newer release': {
      setup: installRpms('release-1.0-2.el9'),
      manifest: "package { 'release': ensure => '1.0-10.el9' }",
    },
    'an older release': {
      setup: installRpms('release-1.0-10'),
      manifest: "package { 'release': ensure => '1.0-2.el9' }",
    },
    'a version without its release': {
      setup: installRpms('release-1.0-2.el9'),
      manifest: "package { 'release': ensure => '1.0' }",
    },
    'a version with a tilde': "package { 'tilde': ensure => '1.0~rc1-1' }",
    'a range': "package { 'alpha': ensure => '>=1.0 <2.0' }",
    'a range with a newer version': alphaAt('1.0', "ensure => '>1.0'"),
    'a range with an older version': alphaAt('2.0', "ensure => '<2.0'"),
    'a range with the installed version': alphaAt('1.1', "ensure => '>=1.0 <2.0'"),
    'a range without a version': alphaAt('1.0', "ensure => '>3.0'"),
    'a range of a missing package': "package { 'nosuch': ensure => '>1.0' }",
    'a range with an epoch': { setup: installRpms('epoch-1.0'), manifest: "package { 'epoch': ensure => '>=1:1.5' }" },
  },
  'OpenVox 8.28.1',
)
