import { type Manifests, wrongValues } from './table.ts'

const hosts = '127.0.0.1\tlocalhost\n# note\n10.0.0.1\tkept.example\tkept\n10.0.0.2\textra.example\n::1 ip6-localhost\n'
const aliases = '# note\nkept: root\nextra: nobody, "|/bin/cat"\nlist: :include:/etc/list\n'
const known = 'kept.example ssh-rsa AAAA\n# note\nextra.example,10.0.0.1 ssh-ed25519 BBBB\nextra.example ssh-rsa CCCC\n'
const fstab =
  '# note\n/dev/sda1 / ext4 defaults 0 1\n/dev/sdb1 /kept ext4 ro 0 2\n/dev/sdc1 /extra ext4 defaults 0 0\nproc /proc proc\n'
const tab =
  '# note\n# Puppet Name: kept\n1 * * * * /bin/kept\n# Puppet Name: extra\n@daily /bin/extra\n2 * * * * /bin/unnamed\n'

const crontab = `
user=root
if [ "$1" = -u ]; then user=$2; shift 2; fi
case "$1" in
  -l) if [ -f "$f/tab.$user" ]; then cat "$f/tab.$user"; else echo "no crontab for $user" >&2; exit 1; fi ;;
  -) cat > "$f/tab.$user" ;;
esac`

const mounts = { mount: '[ $# -eq 0 ] && echo "/dev/sda1 on / type ext4 (rw)"; exit 0', umount: '' }

/** Entries that the catalog does not have, and that go. */
export const purged: Manifests = {
  'hosts that nobody manages': {
    files: { 'etc/hosts': hosts },
    manifest: "resources { 'host': purge => true } host { 'kept.example': } host { 'new.example': ip => '10.0.0.3' }",
  },
  'hosts, in noop': {
    files: { 'etc/hosts': hosts },
    noop: true,
    manifest: "resources { 'host': purge => true } host { 'localhost': }",
  },
  'hosts, with noop and a level of their own': {
    files: { 'etc/hosts': hosts },
    manifest:
      "resources { 'host': purge => true, noop => true, loglevel => warning, tag => 'x' } host { 'kept.example': }",
  },
  'hosts, and who waits for it': {
    files: { 'etc/hosts': hosts },
    manifest: `
      resources { 'host': purge => true, before => Notify['later'], notify => Exec['/bin/true'] } host { 'kept.example': }
      notify { 'later': } exec { '/bin/true': refreshonly => true }`,
  },
  'aliases that nobody manages': {
    files: { 'etc/aliases': aliases },
    manifest: "resources { 'mailalias': purge => true } mailalias { 'kept': recipient => 'root' }",
  },
  'known hosts that nobody manages': {
    files: { 'etc/ssh/ssh_known_hosts': known },
    manifest: "resources { 'sshkey': purge => true } sshkey { 'kept.example': type => 'ssh-rsa', key => 'AAAA' }",
  },
  'mounts that nobody manages': {
    files: { 'etc/fstab': fstab },
    programs: mounts,
    manifest: `
      resources { 'mount': purge => true } mount { '/kept': ensure => present, device => '/dev/sdb1', fstype => 'ext4', options => 'ro' }
      mount { ['/', '/proc']: ensure => present }`,
  },
  'jobs of cron that nobody manages': {
    files: { 'tab.root': tab, 'etc/hosts': '' },
    programs: { crontab },
    manifest: "resources { 'cron': purge => true } cron { 'kept': command => '/bin/kept', minute => 1 }",
  },
  'jobs of cron, in noop': {
    files: { 'tab.root': tab },
    programs: { crontab },
    noop: true,
    manifest: "resources { 'cron': purge => true } cron { 'kept': command => '/bin/kept', minute => 1 }",
  },
  'keys of users': "resources { 'ssh_authorized_key': purge => true }",
  'what nobody can list': "resources { 'package': purge => false } resources { 'service': purge => false }",
}

/** Values that entries of text files do not take. */
export const recordValues: Manifests = {
  ...wrongValues('host', 'x', {
    ip: ["'x'", "'1.2.3'", "''"],
    host_aliases: ["'a b'", "''"],
    comment: ['"a\\nb"'],
    ensure: ["'there'"],
    name: ["'a b'", "'a_b c'"],
  }),
  ...wrongValues('mailalias', 'x', { file: ["'relative'"], ensure: ["'x'"] }),
  ...wrongValues('cron', 'x', {
    minute: ["'60'", "'x'", '[1, 99]', "'*/x'", "'5-70'"],
    hour: ['24'],
    monthday: ['0', "'32'"],
    month: ["'Smarch'", '13'],
    weekday: ["'noday'", '8'],
    special: ["'often'"],
    environment: ["'X'", "'a b'"],
    command: ["''"],
    ensure: ["'x'"],
  }),
  ...wrongValues('mount', '/x', {
    ensure: ["'x'"],
    fstype: ["'a b'", "''"],
    options: ["'a b'"],
    pass: ["'x'"],
    dump: ["'3'"],
    atboot: ["'x'"],
    remounts: ["'x'"],
    device: ["'a b'"],
    name: ["'a b'"],
  }),
  ...wrongValues('ssh_authorized_key', 'x', {
    type: ["'none'"],
    key: ["'a b'"],
    options: ["'a,b'", "'a b'"],
    ensure: ["'x'"],
  }),
}
