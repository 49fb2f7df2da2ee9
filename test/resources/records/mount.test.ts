import { besidePuppet } from '../../support/apply-beside-puppet.ts'

/** Mounts in a file, and each call in another: nothing of the machine is mounted. */
const programs = {
  mount: `
    if [ $# -eq 0 ]; then cat "@/mounted" 2>/dev/null; exit 0; fi
    echo "mount $*" >> "@/calls"
    [ "$1" = -o ] && exit 0
    case "$1" in *broken) echo "mount: $1: wrong fs type" >&2; exit 32 ;; esac
    grep -q " $1 " "@/table" || { echo "mount: $1: not in fstab" >&2; exit 1; }
    echo "dev on $1 type ext4 (rw)" >> "@/mounted"`,
  umount: `
    echo "umount $*" >> "@/calls"
    grep -v " on $1 type " "@/mounted" > "@/rest"; mv "@/rest" "@/mounted"`,
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

besidePuppet('mounts', {
  'entries made, changed and removed': {
    ...given,
    manifests: `
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
    manifests: `
      Mount { target => '@/table', ensure => mounted }
      mount { '/new/': device => '/dev/new', fstype => 'ext4', options => 'ro' }
      mount { '/gone-too': device => '/dev/other', fstype => 'ext4' }
      mount { '/data': device => '/dev/sdb1', fstype => 'ext4', pass => 2 }
      mount { '/ghost': device => 'tmpfs', fstype => 'tmpfs' }`,
  },
  'file systems unmounted': {
    ...given,
    manifests: `
      Mount { target => '@/table', ensure => unmounted }
      mount { '/new': device => '/dev/new', fstype => 'ext4' }
      mount { '/data': device => '/dev/sdb2', fstype => 'ext4' }
      mount { '/gone-too': device => '/dev/sde1', fstype => 'ext4', options => 'ro' }
      mount { '/ghost': device => 'tmpfs', fstype => 'tmpfs' }`,
  },
  'a ghost that goes, and one that comes into the table': {
    ...given,
    manifests: `
      mount { '/ghost': ensure => absent, target => '@/table' }
      mount { '/ghost2': ensure => present, device => 'tmpfs', fstype => 'tmpfs', target => '@/table' }`,
  },
  'a change of what is mounted': {
    ...given,
    manifests: `
      mount { '/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4', options => 'noatime', pass => 2, target => '@/table' }
      mount { '/gone': ensure => mounted, options => 'ro', remounts => false, target => '@/table' }`,
  },
  refreshes: {
    ...given,
    manifests: `
      exec { '/bin/true': }
      ~> mount { ['/data', '/with blank']: ensure => present, target => '@/table' }`,
  },
  'without ensure': { ...given, manifests: `mount { '/data': options => 'ro', target => '@/table' }` },
  'an entry without a type': {
    ...given,
    manifests: `mount { '/new': ensure => present, device => '/dev/new', target => '@/table' }`,
  },
  'an entry without a device': {
    ...given,
    manifests: `mount { '/new': ensure => mounted, fstype => 'ext4', target => '@/table' }`,
  },
  'a mount that fails': {
    ...given,
    manifests: `
      mount { '/broken': ensure => mounted, device => '/dev/new', fstype => 'ext4', target => '@/table' }
      notify { 'after': require => Mount['/broken'] }`,
  },
  'the usual table': {
    programs,
    files: { 'etc/fstab': table, mounted: '' },
    manifests: `mount { '/data': ensure => absent }`,
  },
  'order by path, and before the files within': {
    ...given,
    manifests: `
      file { '@/m/a/file': content => 'x' }
      file { ['@/m', '@/m/a']: ensure => directory }
      mount { '@/m/a': ensure => present, device => 'a', fstype => 'ext4', target => '@/table' }
      mount { '@/m': ensure => present, device => 'm', fstype => 'ext4', target => '@/table' }`,
  },
  'only what would be done': {
    ...given,
    noop: true,
    manifests: `
      Mount { target => '@/table' }
      mount { '/new': ensure => mounted, device => '/dev/new', fstype => 'ext4' }
      mount { '/data': ensure => unmounted }
      mount { '/gone': ensure => absent }
      mount { '/gone-too': ensure => present, options => 'ro' }`,
  },
  'a wrong ensure': { programs, manifests: [`mount { '/a': ensure => 'there', target => '@/table' }`] },
  'options with blanks': { programs, manifests: [`mount { '/a': options => 'a b', target => '@/table' }`] },
  'no options': { programs, manifests: [`mount { '/a': options => '', target => '@/table' }`] },
  'a wrong dump': { programs, manifests: [`mount { '/a': dump => 5, target => '@/table' }`] },
})
