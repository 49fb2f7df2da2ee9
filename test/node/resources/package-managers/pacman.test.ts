import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { arch } from './systems.ts'

const file = (name: string): string => `/srv/files/${name}-any.pkg.tar.gz`
const pacman = (words: string): string => `pacman --noconfirm --noprogressbar ${words} >/dev/null 2>&1`
const alphaAt = (version: string, attributes: string): ManagerCase => ({
  setup: pacman(version === '1.0' ? `-U ${file('alpha-1.0-1')}` : '-S alpha'),
  manifest: `package { 'alpha': ${attributes} }`,
})
const fromSource = (source: string): ManagerCase => ({
  manifest: `package { 'alpha': source => '${source}' }`,
  differs: 'pacman -S without a package, which real Puppet runs before pacman -U, fails',
})

applyWithManagers(import.meta.filename, 'pacman', arch, {
  present: "package { 'alpha': }",
  'present in an older version': alphaAt('1.0', ''),
  'several packages': "package { ['alpha', 'base', 'epoch', 'needy']: }",
  'a missing package': "package { 'nosuch': } package { 'alpha': }",
  absent: alphaAt('1.0', 'ensure => absent'),
  'absent already': "package { 'nosuch': ensure => absent }",
  'absent, but required': { setup: pacman('-S needy'), manifest: "package { 'base': ensure => absent }" },
  'absent with an option': {
    setup: pacman('-S needy'),
    manifest: "package { 'base': ensure => absent, uninstall_options => ['--cascade'] }",
  },
  'purged, which pacman cannot': alphaAt('1.0', 'ensure => purged'),
  'a version, which pacman cannot select': alphaAt('1.0', "ensure => '2.0-1'"),
  'latest of an old version': alphaAt('1.0', 'ensure => latest'),
  'latest of the newest version': alphaAt('2.0', 'ensure => latest'),
  'latest of a missing package': "package { 'alpha': ensure => latest }",
  'latest of a package without a repository': "package { 'nosuch': ensure => latest }",
  'latest of a package with an installed dependency': {
    setup: pacman('-S needy'),
    manifest: "package { 'needy': ensure => latest }",
  },
  'latest of a package with a missing dependency': {
    setup: `${pacman('-S needy')}; ${pacman('-Rdd base')}`,
    manifest: "package { 'needy': ensure => latest }",
    differs:
      'the versions of the missing dependency and of the package are the newest version, which is never installed',
  },
  'a group': "package { 'several': }",
  'a group of which a part is there': { setup: pacman('-S one'), manifest: "package { 'several': }" },
  'a group that is to be absent': { setup: pacman('-S several'), manifest: "package { 'several': ensure => absent }" },
  'latest of a group': { setup: pacman('-S several'), manifest: "package { 'several': ensure => latest }" },
  'a group without virtual packages': "package { 'several': allow_virtual => false }",
  'a group without virtual packages, to be absent': {
    setup: pacman('-S several'),
    manifest: "package { 'several': ensure => absent, allow_virtual => false }",
  },
  'a capability': "package { 'virtual-server': }",
  'a package with a missing dependency': "package { 'broken': }",
  'a file as source': fromSource('/srv/files/alpha-1.0-1-any.pkg.tar.gz'),
  'a URL as source': fromSource('file:///srv/files/alpha-1.0-1-any.pkg.tar.gz'),
  'a source that is missing': fromSource('/srv/files/nosuch.pkg.tar.gz'),
  'a source with another scheme': "package { 'alpha': source => 'puppet:///modules/alpha/alpha.pkg' }",
  'an option': "package { 'needy': install_options => ['--asdeps', { '--ignore' => 'alpha' }] }",
  'a locked database': { setup: 'touch /var/lib/pacman/db.lck', manifest: "package { 'alpha': }" },
  'a package to hold': "package { 'alpha': mark => hold }",
  'no changes': { ...alphaAt('1.0', 'ensure => latest'), noop: true },
})
