import { applyBoth } from '../../node/resources/beside-puppet/apply-both.ts'
import { openvoxAnswers } from '../../support/openvox.ts'

const openvox = openvoxAnswers(import.meta.filename, 'OpenVox 8.28.1')

const rocky = {
  osfamily: 'RedHat',
  operatingsystem: 'Rocky',
  operatingsystemmajrelease: '10',
  os: { family: 'RedHat', name: 'Rocky', release: { major: '10', full: '10.0' } },
}

const rpm = `
case "$1" in
  --version) echo "RPM version 4.19.1";;
  -qa) cat "$f/rpms";;
  -q) grep "^$2 " "$f/rpms" || { echo "package $2 is not installed"; exit 1; };;
esac`

/** Programs that note the variable PKG_TOKEN and their words. */
const dnf = `
echo "$PKG_TOKEN|$*" >> "$f/log"
case "$*" in
  *check-update*) printf '%s\\n' '' 'old.x86_64    2.0-1.el9    updates'; exit 100;;
  *"install new"*) echo "new 0 1.0 1.el9 x86_64" >> "$f/rpms";;
  *"upgrade old"*) sed -i 's/^old 0 1.0 1.el9/old 0 2.0 1.el9/' "$f/rpms";;
  *remove*) sed -i "/^$last /d" "$f/rpms";;
esac`

const dpkgQuery = `
case "$*" in
  *there*) echo "desired ok installed there 1.0";;
  *) cat "$f/debs"; [ "$#" -gt 3 ] && exit 1; exit 0;;
esac`

applyBoth(openvox, 'variables of package commands, as OpenVox has them', [], {
  'of dnf, without its options for silence': {
    manifest: `
      package { 'new': environment => ['PKG_TOKEN=a b', 'OTHER=1'] }
      package { 'old': ensure => latest, environment => 'PKG_TOKEN=upgraded' }
      package { 'gone': ensure => purged, environment => ['PKG_TOKEN=purged'] }
      package { 'plain': ensure => purged }`,
    files: { rpms: 'old 0 1.0 1.el9 x86_64\ngone 0 1.0 1.el9 x86_64\nplain 0 1.0 1.el9 x86_64\n' },
    programs: { rpm, dnf },
    facts: rocky,
  },
  'of apt': {
    manifest: `
      package { 'new': environment => ['PKG_TOKEN=a=b'] }
      package { 'gone': ensure => absent, environment => ['PKG_TOKEN=removed', 'EMPTY='] }`,
    files: { debs: 'install ok installed gone 1.0\n' },
    programs: {
      'dpkg-query': dpkgQuery,
      'apt-get': 'echo "$PKG_TOKEN|$DEBIAN_FRONTEND|$*" >> "$f/log"',
      'apt-cache': ':',
      'apt-mark': ':',
      dpkg: 'echo "dpkg $PKG_TOKEN" >> "$f/log"',
    },
    once: 'the programs change nothing',
  },
  'a setting that is none': {
    manifest: "package { 'a': environment => ['b'] }",
    programs: { rpm, dnf },
    files: { rpms: '' },
    facts: rocky,
    once: 'the catalog is refused, both times',
  },
  'a variable twice': {
    manifest: "package { 'new': environment => ['PKG_TOKEN=1', 'PKG_TOKEN=2'] }",
    programs: { rpm, dnf },
    files: { rpms: '' },
    facts: rocky,
    once: 'OpenVox says it for each command',
    unlike: /Overriding environment setting/,
  },
})

applyBoth(openvox, 'the checksum type etag', [], {
  'of content, which is MD5': { manifest: 'file { \'@/a\': content => "x\\n", checksum => etag }' },
  'a sum that is no digest': {
    manifest: "file { '@/a': content => 'x', checksum => etag, checksum_value => 'abc' }",
    once: 'the catalog is refused, both times',
  },
})
