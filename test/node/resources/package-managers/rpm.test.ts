import { applyWithManagers, type ManagerCase } from './compare-managers.ts'
import { installRpms, redHat } from './systems.ts'

const file = (name: string): string => `/srv/files/${name}.rpm`
const alpha = (attributes: string): string => `package { 'alpha': provider => rpm, ${attributes} }`
const alphaAt = (version: string, attributes: string): ManagerCase => ({
  setup: installRpms(`alpha-${version}`),
  manifest: alpha(attributes),
})
const source = (version: string): string => `source => '${file(`alpha-${version}-1.noarch`)}'`

applyWithManagers(import.meta.filename, 'rpm', redHat, {
  present: alpha(source('1.0')),
  'present in another version': alphaAt('1.0', source('2.0')),
  'without a source': alpha(''),
  'a source that is missing': alpha("source => '/srv/files/nosuch.rpm'"),
  'latest of an old version': alphaAt('1.0', `ensure => latest, ${source('2.0')}`),
  'latest of a newer version': alphaAt('2.0', `ensure => latest, ${source('1.0')}`),
  'latest of a missing package': alpha(`ensure => latest, ${source('2.0')}`),
  'a version': alpha(`ensure => '1.1-1', ${source('1.1')}`),
  'a newer version': alphaAt('1.0', `ensure => '2.0-1', ${source('2.0')}`),
  'an older version': alphaAt('2.0', `ensure => '1.0-1', ${source('1.0')}`),
  'a version that the source does not have': alphaAt('1.0', `ensure => '1.1-1', ${source('2.0')}`),
  'a range': alphaAt('1.0', `ensure => '>=1.0', ${source('2.0')}`),
  absent: alphaAt('1.0', 'ensure => absent'),
  'absent with options': alphaAt('1.0', "ensure => absent, uninstall_options => ['--test']"),
  'absent in a version': {
    setup: installRpms('alpha-1.0'),
    manifest: "package { 'alpha-1.0': ensure => absent, provider => rpm }",
  },
  'absent in a version, release and architecture': {
    setup: installRpms('alpha-1.0'),
    manifest: "package { 'alpha-1.0-1.noarch': ensure => absent, provider => rpm }",
  },
  'absent, but required': {
    setup: installRpms('base-1.0', 'needy-1.0'),
    manifest: "package { 'base': ensure => absent, provider => rpm }",
  },
  'an option':
    "package { 'alpha': provider => rpm, source => '/srv/files/alpha-1.0-1.noarch.rpm', install_options => ['--nodeps', '--justdb'] }",
  'a script that fails': "package { 'failing': provider => rpm, source => '/srv/files/failing-1.0-1.noarch.rpm' }",
  purged: alphaAt('1.0', 'ensure => purged'),
  'a damaged file': {
    setup: 'echo damaged > /opt/packages/damaged.rpm',
    manifest: alpha("ensure => latest, source => '/opt/packages/damaged.rpm'"),
  },
})
