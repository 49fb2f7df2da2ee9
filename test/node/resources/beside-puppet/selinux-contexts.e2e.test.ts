import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** The programs of a machine with SELinux, on the files that the functions of real Puppet's library read. */
const programs = {
  stat: `
shift 3
for path; do
  [ -e "$path" ] || [ -L "$path" ] || { echo "stat: cannot stat '$path'" >&2; continue; }
  own=$(grep -F "$path " "$f/selinux/contexts" | awk -v path="$path" '$1 == path { print $2 }' | tail -n 1)
  echo "\${own:-u:r:unlabelled_t:s0} $path"
done`,
  matchpathcon: String.raw`
kind=
[ "$1" = -m ] && { kind=$2; shift 2; }
for path; do
  of=$kind
  [ -n "$of" ] || { of=file; [ -d "$path" ] && of=dir; [ -L "$path" ] && of=lnk_file; }
  own=$(awk -v path="$path" -v kind="$of" '
    { name = $1; bare = name; sub(/^[a-z_]+:/, "", bare) }
    substr(path, length(path) - length(bare) + 1) == bare && (index(name, ":") == 0 || index(name, kind ":") == 1) { print $2; exit }
  ' "$f/selinux/policy")
  if [ -n "$own" ]; then printf '%s\t%s\n' "$path" "$own"; else printf '%s\t<<none>>\n' "$path"; fi
done`,
  chcon: `
flag=$2 value=$3 path=$5
own=$(awk -v path="$path" '$1 == path { print $2 }' "$f/selinux/contexts" | tail -n 1)
new=$(echo "\${own:-u:r:unlabelled_t:s0}" | awk -F: -v OFS=: -v flag="$flag" -v value="$value" '
  flag == "-u" { $1 = value } flag == "-r" { $2 = value } flag == "-t" { $3 = value } flag == "-l" { $4 = value } { print }')
case "$new" in *stuck*) echo "chcon: failed to change context" >&2; exit 1;; esac
echo "$path $new" >> "$f/selinux/contexts"`,
}

const mounted = 'selinuxfs /sys/fs/selinux selinuxfs rw,relatime 0 0\n'

const selinux = {
  'selinux/mounts': `${mounted}dev / ext4 rw 0 0\n`,
  'selinux/translations': '# none\n',
  'selinux/contexts': '',
  'selinux/policy': [
    '/usual system_u:object_r:usual_t:s0',
    'dir:/made system_u:object_r:made_dir_t:s0',
    'file:/made system_u:object_r:made_file_t:s0',
    'lnk_file:/link system_u:object_r:link_t:s0',
    '/short system_u:object_r:short_t',
    '',
  ].join('\n'),
}

applyBoth(puppet, 'SELinux contexts', [], {
  'contexts that the manifest says': {
    manifest: `
      file { '@/one': seltype => 'etc_t' }
      file { '@/all': seluser => 'me_u', selrole => 'me_r', seltype => 'me_t', selrange => 's0:c1,c2' }
      file { '@/new': content => 'x', seltype => 'new_t', mode => '0600' }
      file { '@/dir': ensure => directory, seltype => 'dir_t' }
      file { '@/link': ensure => link, target => '@/one', seltype => 'my_link_t' }
      file { '@/stuck': seltype => 'stuck_t' } file { '@/gone': ensure => absent, seltype => 'x_t' }
      file { '@/none': seltype => 'x_t' }`,
    files: { ...selinux, one: '1', all: '2', stuck: '3', gone: '4' },
    programs,
  },
  'contexts that the policy has': {
    manifest: `
      file { ['@/a/usual', '@/b/usual', '@/short']: ensure => file }
      file { '@/a/made': ensure => directory } file { '@/b/made': ensure => file, content => 'made' }
      file { '@/c/usual': ensure => file, selinux_ignore_defaults => true }
      file { '@/d/usual': ensure => file, seltype => 'mine_t' } file { '@/unknown': ensure => file }`,
    files: { ...selinux, 'a/usual': '1', 'b/x': '', 'c/usual': '3', 'd/usual': '4', short: '5' },
    programs,
  },
  'contexts, in noop': {
    manifest: "file { '@/one': seltype => 'etc_t' } file { '@/usual': ensure => file }",
    files: { ...selinux, one: '1', usual: '2' },
    noop: true,
    programs,
  },
  'a file system without contexts': {
    manifest: "file { '@/one': seltype => 'etc_t' } file { '@/usual': ensure => file, content => 'x' }",
    files: { ...selinux, 'selinux/mounts': `${mounted}dev / nfs rw 0 0\n`, one: '1' },
    programs,
  },
})
