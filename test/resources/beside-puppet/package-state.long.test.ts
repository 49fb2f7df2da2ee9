import { applyBoth } from './apply-both.ts'

const redHat = {
  osfamily: 'RedHat',
  operatingsystem: 'Rocky',
  operatingsystemmajrelease: '8',
  os: { family: 'RedHat', name: 'Rocky', release: { major: '8', full: '8.9' } },
}
const suse = {
  osfamily: 'Suse',
  operatingsystem: 'SLES',
  operatingsystemmajrelease: '15',
  os: { family: 'Suse', name: 'SLES', release: { major: '15', full: '15.5' } },
}

const rpm = `
case "$1" in
  --version) echo "RPM version 4.14.3";;
  -qa) cat "$f/rpms";;
  -q) for name; do case "$name" in -*) ;; *) grep "^$name " "$f/rpms" && exit 0; break;; esac; done
    echo "package $2 is not installed"; exit 1;;
esac`

/** A dnf that keeps streams and profiles in the file `modules`, one line a stream, as `dnf module list` prints them. */
const moduleDnf = `
module=$(echo "$last" | sed 's/[:/].*//')
stream=$(echo "$last" | sed -n 's/^[^:]*:\\([^/]*\\).*/\\1/p')
profile=$(echo "$last" | sed -n 's/.*[/]//p')
case "$last" in */*) ;; *) profile=common;; esac
line="^$module  *\${stream:-[^ ]*\\( \\[d\\]\\)*}"
case "$*" in
  --version) echo 4.7.0; echo '  Installed: dnf-0:4.7.0-19.el8.noarch at Tue 01 Oct 2024';;
  check-update*) printf '%s\\n' '' 'updated.x86_64    1:14.2-1.module    appstream'; exit 100;;
  module\\ list*)
    printf '%s\\n' 'Rocky Linux 8 - AppStream' 'Name       Stream   Profiles                     Summary'
    cat "$f/modules"
    printf '%s\\n' '' 'Hint: [d]efault, [e]nabled, [x]disabled, [i]nstalled';;
  module\\ install*noprofile) printf '%s\\n' 'Error: Problems in request:' "missing groups or modules: $last" >&2; exit 1;;
  module\\ install*brokenprofile) printf '%s\\n' 'Error: Problems in request:' "broken groups or modules: $last" >&2; exit 1;;
  module\\ install*nosuch*) printf '%s\\n' 'Error: Problems in request:' 'missing groups or modules: other' >&2; exit 1;;
  module\\ install*) sed -i "/$line/{s/ \\[[ex]\\]//g; s/ \\[i\\]//g; s/^[^ ]*  *[^ ]*/& [e]/; s/$profile/& [i]/}" "$f/modules";;
  module\\ enable*) sed -i "/$line/{s/ \\[[ex]\\]//g; s/^[^ ]*  *[^ ]*/& [e]/}" "$f/modules";;
  module\\ disable*) sed -i "/$line/{s/ \\[[ex]\\]//g; s/ \\[i\\]//g; s/^[^ ]*  *[^ ]*/& [x]/}" "$f/modules";;
  module\\ re*) sed -i "/^$module /{s/ \\[[ex]\\]//g; s/ \\[i\\]//g}" "$f/modules";;
esac`

const modules = `enabled    1 [d] [e]   common [d], minimal          enabled
installed  10 [d] [e]  common [d] [i], client       installed
installed  12          common [d], client           installed
updated    14 [e]      common [d] [i]               updated
disabled   3 [x]       common [d]                   disabled
plain      2 [d]       common [d], minimal          plain
noprofile  5           common                       without a default profile
brokenprofile 5        common                       without a default profile
flavored   1 [e]       common [d] [i], minimal      flavored
`

applyBoth('the state of modules of dnf', [], {
  latest: {
    manifest: `
      Package { provider => dnfmodule, ensure => latest }
      package { ['enabled', 'installed', 'updated', 'disabled', 'plain', 'noprofile', 'nosuch']: }`,
    files: { modules, rpms: '' },
    programs: { rpm, dnf: moduleDnf },
    facts: redHat,
  },
  present: {
    manifest: `
      Package { provider => dnfmodule }
      package { ['enabled', 'installed', 'disabled', 'plain', 'noprofile', 'brokenprofile', 'nosuch']: }
      package { 'flavored': flavor => 'minimal' }`,
    files: { modules, rpms: '' },
    programs: { rpm, dnf: moduleDnf },
    facts: redHat,
  },
  'streams, and modules that are only enabled': {
    manifest: `
      Package { provider => dnfmodule }
      package { 'installed': ensure => '12' }
      package { 'plain': ensure => '2', enable_only => true }
      package { 'disabled': enable_only => true }
      package { 'enabled': ensure => '1', flavor => 'minimal' }
      package { 'flavored': ensure => disabled } package { 'updated': ensure => absent }`,
    files: { modules, rpms: '' },
    programs: { rpm, dnf: moduleDnf },
    facts: redHat,
  },
  'purged and disabled': {
    manifest: `
      Package { provider => dnfmodule }
      package { 'installed': ensure => purged } package { 'nosuch': ensure => purged }
      package { ['disabled', 'unlisted']: ensure => disabled }`,
    files: { modules, rpms: '' },
    programs: { rpm, dnf: moduleDnf },
    facts: redHat,
  },
})

/** A dpkg that keeps what is wanted and installed in the file `debs`; a held package changes only by force, as apt has it. */
const apt = {
  'dpkg-query': `
case "$*" in
  *Provides*) sed 's/$/ []/' "$f/debs";;
  *) if [ -z "$4" ]; then cat "$f/debs"; exit 0; fi
    grep " $last [0-9]" "$f/debs" || { echo "dpkg-query: no packages found matching $last" >&2; exit 1; };;
esac`,
  'apt-get': `
case "$*" in *" install "*|*" remove "*)
  if grep -q "^hold .* $name " "$f/debs"; then
    case "$*" in *--allow-change-held-packages*|*--force-yes*) ;; *)
      echo 'E: Held packages were changed and -y was used without --allow-change-held-packages.'; exit 100;; esac
  fi;;
esac
case "$*" in
  *" install "*=*) grep -q " $name " "$f/debs" && sed -i "s/ $name [^ ]*$/ $name $version/" "$f/debs" || echo "install ok installed $name $version" >> "$f/debs";;
  *" install "*) sed -i "/ $name /d" "$f/debs"; echo "install ok installed $name 2.0" >> "$f/debs";;
  *remove*) sed -i "/ $last /d" "$f/debs";;
esac`,
  'apt-cache': String.raw`
case "$1:$2" in
  policy:pinned) printf '%s\n' "$2:" '  Installed: 1.0' '  Candidate: 1.0' '  Version table:' '     2.0 500' ' *** 1.0 1001';;
  policy:never) printf '%s\n' "$2:" '  Installed: 1.0' '  Candidate: (none)' '  Version table:' ' *** 1.0 -1';;
  policy:*) printf '%s\n' "$2:" '  Installed: 1.0' '  Candidate: 2.0' '  Version table:';;
  madison:*) printf '%s\n' "$2 | 2.0 | http://x" "$2 | 1.5-1 | http://x";;
esac`,
  'apt-mark': ':',
  dpkg: `
case "$*" in
  --set-selections) while read -r name state; do
      echo "  $name $state" >> "$f/ran"; sed -i "s/^[a-z]*\\( .* $name [^ ]*\\)$/$state\\1/" "$f/debs"; done;;
  --purge*) sed -i "/ $2 /d" "$f/debs";;
esac`,
}

const debs = `install ok installed free 1.0
hold ok installed held 1.0
install ok installed pinned 1.0
install ok installed never 1.0
hold ok config-files rest 1.0
`

const marked = (ensure: string, mark: string) => `
  Package { ensure => '${ensure}', mark => '${mark}' }
  package { ['free', 'held', 'pinned', 'rest', 'new']: }`

const held = (manifest: string) => ({ manifest, files: { debs }, programs: apt })

applyBoth('packages that apt holds or pins', [], {
  'present and held': held(marked('present', 'hold')),
  'present and not held': held(marked('present', 'none')),
  'present and unheld': held(marked('present', 'unhold')),
  'latest and held': held(marked('latest', 'hold')),
  'latest and not held': held(marked('latest', 'none')),
  'a version and held': held(marked('1.5-1', 'hold')),
  'a version and not held': held(marked('1.5-1', 'none')),
  'a range and held': held(marked('>=1.2 <2.0', 'hold')),
  'without a mark': held(`
    package { ['held', 'pinned', 'never', 'rest']: ensure => latest }`),
  'removed while held': held(`
    package { ['held', 'rest']: ensure => absent } package { 'free': ensure => purged }`),
  'purged while held': held(`package { 'held': ensure => purged }`),
  'a version without a mark': held(`package { ['held', 'pinned']: ensure => '2.0' }`),
  'absent and held': { ...held(marked('absent', 'hold')), once: 'the catalog is rejected' },
  'held by name': { ...held(`package { 'free': ensure => held }`), once: 'there is no such version, both times' },
})
