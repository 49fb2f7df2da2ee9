import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** Mounts in a file, and each call in another: nothing of the machine is mounted. */
const programs = {
  mount: `
    if [ $# -eq 0 ]; then cat "$f/mounted" 2>/dev/null; exit 0; fi
    echo "mount $*" >> "$f/calls"
    [ "$1" = -o ] && exit 0
    case "$1" in *broken) echo "mount: $1: wrong fs type" >&2; exit 32 ;; esac
    grep -q " $1 " "$f/table" || { echo "mount: $1: not in fstab" >&2; exit 1; }
    echo "dev on $1 type ext4 (rw)" >> "$f/mounted"`,
  umount: `
    echo "umount $*" >> "$f/calls"
    grep -v " on $1 type " "$f/mounted" > "$f/rest"; mv "$f/rest" "$f/mounted"`,
}

const table = `# <file system> <mount point> <type> <options> <dump> <pass>
/dev/sda1 / ext4 errors=remount-ro 0 1

/dev/sdb1 /data ext4 defaults 0 2
  # indented
/dev/sdc1\t/with\\040blank/ ext4 ro 0 0
proc /proc proc
lonely
/dev/sdd1 /gone ext4 defaults 0 0
/dev/sde1 /gone-too ext4 defaults 0 0
`

const mounted = `/dev/sda1 on / type ext4 (rw)
/dev/sdb1 on /data type ext4 (rw)
/dev/sdd1 on /gone type ext4 (rw)
tmpfs on /ghost type tmpfs (rw)
tmpfs on /ghost2 type tmpfs (rw)
tmpfs on /ghost3 type tmpfs (rw)
`

const given = { programs, files: { table, mounted } }

applyBoth(puppet, 'mounts are applied as real Puppet applies them', ['mount_core'], {
  'entries made, changed and removed': {
    ...given,
    manifest: `
      Mount { target => '@/table' }
      mount { '/new': ensure => present, device => '/dev/new', fstype => 'ext4' }
      mount { '/data': ensure => defined, device => '/dev/sdb1', fstype => 'xfs', options => 'ro', dump => 1, pass => '2' }
      mount { '/with blank': ensure => present, device => '/dev/disk/by-label/a b', fstype => 'ext4' }
      mount { '/gone': ensure => absent }
      mount { '/gone-too': ensure => absent }
      mount { '/never': ensure => absent }`,
  },
  'file systems mounted': {
    ...given,
    manifest: `
      Mount { target => '@/table', ensure => mounted }
      mount { '/new/': device => '/dev/new', fstype => 'ext4', options => 'ro' }
      mount { '/gone-too': device => '/dev/other', fstype => 'ext4' }
      mount { '/data': device => '/dev/sdb1', fstype => 'ext4', pass => 2 }
      mount { '/ghost': device => 'tmpfs', fstype => 'tmpfs' }`,
  },
  'file systems unmounted': {
    ...given,
    manifest: `
      Mount { target => '@/table', ensure => unmounted }
      mount { '/new': device => '/dev/new', fstype => 'ext4' }
      mount { '/data': device => '/dev/sdb2', fstype => 'ext4' }
      mount { '/gone-too': device => '/dev/sde1', fstype => 'ext4', options => 'ro' }
      mount { '/ghost': device => 'tmpfs', fstype => 'tmpfs' }`,
  },
  'a ghost that goes, and one that comes into the table': {
    ...given,
    manifest: `
      mount { '/ghost': ensure => absent, target => '@/table' }
      mount { '/ghost2': ensure => present, device => 'tmpfs', fstype => 'tmpfs', target => '@/table' }`,
  },
  'a change of what is mounted': {
    ...given,
    manifest: `
      mount { '/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4', options => 'noatime', pass => 2, target => '@/table' }
      mount { '/gone': ensure => mounted, options => 'ro', remounts => false, target => '@/table' }`,
  },
  refreshes: {
    ...given,
    manifest: `
      exec { '/bin/true': }
      ~> mount { ['/data', '/with blank']: ensure => present, target => '@/table' }`,
  },
  'without ensure': { ...given, manifest: `mount { '/data': options => 'ro', target => '@/table' }` },
  'an entry without a type': {
    ...given,
    manifest: `mount { '/new': ensure => present, device => '/dev/new', target => '@/table' }`,
  },
  'an entry without a device': {
    ...given,
    manifest: `mount { '/new': ensure => mounted, fstype => 'ext4', target => '@/table' }`,
  },
  'a mount that fails': {
    ...given,
    manifest: `
      mount { '/broken': ensure => mounted, device => '/dev/new', fstype => 'ext4', target => '@/table' }
      notify { 'after': require => Mount['/broken'] }`,
  },
  'the usual table': {
    programs,
    files: { 'etc/fstab': table, mounted: '' },
    manifest: `mount { '/data': ensure => absent }`,
  },
  'order by path, and before the files within': {
    ...given,
    manifest: `
      file { '@/m/a/file': content => 'x' }
      file { ['@/m', '@/m/a']: ensure => directory }
      mount { '@/m/a': ensure => present, device => 'a', fstype => 'ext4', target => '@/table' }
      mount { '@/m': ensure => present, device => 'm', fstype => 'ext4', target => '@/table' }`,
  },
  'only what would be done': {
    ...given,
    noop: true,
    manifest: `
      Mount { target => '@/table' }
      mount { '/new': ensure => mounted, device => '/dev/new', fstype => 'ext4' }
      mount { '/data': ensure => unmounted }
      mount { '/gone': ensure => absent }
      mount { '/gone-too': ensure => present, options => 'ro' }`,
  },
  'a wrong ensure': { programs, manifest: [`mount { '/a': ensure => 'there', target => '@/table' }`] },
  'options with blanks': { programs, manifest: [`mount { '/a': options => 'a b', target => '@/table' }`] },
  'no options': { programs, manifest: [`mount { '/a': options => '', target => '@/table' }`] },
  'a wrong dump': { programs, manifest: [`mount { '/a': dump => 5, target => '@/table' }`] },
})
