import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { alpine } from './systems.ts'

const apk = (words: string): string => `apk ${words} >/dev/null 2>&1`
const alphaAt = (version: string, attributes: string): ManagerCase => ({
  setup: apk(`add alpha=${version}`),
  manifest: `package { 'alpha': ${attributes} }`,
})

applyWithManagers(
  import.meta.filename,
  'apk',
  alpine,
  {
    present: "package { 'alpha': }",
    'present in an older version': alphaAt('1.0-r0', ''),
    'a missing package': "package { 'nosuch': } package { 'alpha': }",
    'a package whose name starts that of another': {
      setup: apk('add alpha-doc'),
      manifest: "package { 'alpha': ensure => absent }",
    },
    'several packages': "package { ['alpha-doc', 'python3-dev', 'server']: }",
    absent: alphaAt('1.0-r0', 'ensure => absent'),
    'absent already': "package { 'nosuch': ensure => absent }",
    'absent, but required by another package': {
      setup: apk('add needy'),
      manifest: "package { 'base': ensure => absent }",
    },
    'absent with the packages that require it': {
      setup: apk('add needy'),
      manifest: "package { 'base': ensure => absent, uninstall_options => ['--rdepends'] }",
    },
    purged: alphaAt('1.0-r0', 'ensure => purged'),
    'latest of a missing package': "package { 'alpha': ensure => latest }",
    'latest of an old version': alphaAt('1.0-r0', 'ensure => latest'),
    'latest of the newest version': alphaAt('2.0-r1', 'ensure => latest'),
    'latest beside a tagged repository': {
      setup: `mkdir -p /srv/edge; mv /srv/apk-edge /srv/edge/x86_64; echo '@edge /srv/edge' >> /etc/apk/repositories; ${apk('add alpha=1.0-r0')}`,
      manifest: "package { 'alpha': ensure => latest }",
    },
    'a version': "package { 'alpha': ensure => '1.1-r0' }",
    'a newer version': alphaAt('1.0-r0', "ensure => '1.1-r0'"),
    'an older version': alphaAt('2.0-r1', "ensure => '1.1-r0'"),
    'a missing version': alphaAt('1.0-r0', "ensure => '9.0-r0'"),
    'a capability': "package { 'virtual-server': }",
    'latest of a capability': { setup: apk('add server'), manifest: "package { 'virtual-server': ensure => latest }" },
    'a package with a missing dependency': "package { 'broken': }",
    'a package to hold': "package { 'alpha': mark => hold }",
    'an option': "package { 'needy': install_options => ['--no-cache'] }",
    'options that are wrong': "package { 'alpha': install_options => ['--nosuch'] }",
    'a broken repository': { setup: 'rm -r /srv/apk', manifest: "package { 'alpha': }" },
    'no changes': { ...alphaAt('1.0-r0', 'ensure => latest'), noop: true },
  },
  // Puppet has no provider for apk, and Debian no apk: `APK` names the folder of a program to record with.
  { program: 'apk 2.14.10', setup: `bash ${import.meta.dirname}/make-apk.sh "${process.env['APK'] ?? ''}"` },
)
