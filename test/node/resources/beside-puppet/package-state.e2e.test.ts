import { openvoxAnswers } from '../../../support/openvox.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** Answers about dnf and yum: Puppet 7 passes options that dnf 5 rejects; OpenVox does not. */
const openvox = openvoxAnswers(import.meta.filename, 'OpenVox 8.28.1', puppet)

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
  *check-update*) printf '%s\\n' '' 'updated.x86_64    1:14.2-1.module    appstream'; exit 100;;
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

applyBoth(openvox, 'the state of modules of dnf', [], {
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
  policy:pinned*) printf '%s\n' "$2:" '  Installed: 1.0' '  Candidate: 1.0' '  Version table:' '     2.0 500' ' *** 1.0 1001';;
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

/** Wanted values of `ensure`; each has a package in each state. */
const wanted = ['present', 'latest', '1.5-1', '>=1.2 <2.0']
const names = (state: string) => wanted.map((_, index) => `${state}-${index}`)

const debs = [
  ...names('free').map((name) => `install ok installed ${name} 1.0\n`),
  ...names('held').map((name) => `hold ok installed ${name} 1.0\n`),
  ...names('pinned').map((name) => `install ok installed ${name} 1.0\n`),
  ...names('rest').map((name) => `hold ok config-files ${name} 1.0\n`),
  'install ok installed never 1.0\nhold ok installed purged-held 1.0\ninstall ok installed purged-free 1.0\n',
].join('')

const all = (mark: string) =>
  wanted
    .map((ensure, index) => {
      const titles = ['free', 'held', 'pinned', 'rest', 'new'].map((state) => `'${state}-${index}'`)
      return `package { [${titles.join(', ')}]: ensure => '${ensure}'${mark} }`
    })
    .join('\n')

const held = (manifest: string) => ({ manifest, files: { debs }, programs: apt })

applyBoth(puppet, 'packages that apt holds or pins', [], {
  'mark => hold': held(all(', mark => hold')),
  'mark => none': held(all(', mark => none')),
  'without a mark': held(`${all('')} package { 'never': ensure => latest }`),
  'absent, purged or held': held(`
    package { ['held-0', 'rest-0']: ensure => absent } package { ['purged-free', 'purged-held']: ensure => purged }
    package { 'free-0': ensure => held }`),
  'absent and held': {
    ...held(`package { 'free-0': ensure => absent, mark => hold }`),
    once: 'the catalog is rejected',
  },
  'mark => unhold': { ...held(`package { 'free-0': mark => unhold }`), once: 'the catalog is rejected' },
})

const rpms = `locked 0 1.0 1 x86_64
old 0 1.0 1 x86_64
ranged 0 1.0 1 x86_64
kept 0 1.0 1 x86_64
arched 0 1.0 1 x86_64
`

const lockedManifest = `
  package { ['locked', 'old', 'newlocked', 'new']: ensure => latest }
  package { 'kept': ensure => '2.0-1' } package { 'ranged': ensure => '>1.0 <3.0' }
  package { 'arched': ensure => '2.0-1.x86_64' } package { 'locked2': name => 'locked', ensure => present, provider => rpm }`

/** A dnf with versionlock: locked packages are listed nowhere, and an upgrade of one does nothing. */
const lockingDnf = `
case "$*" in
  *check-update*) printf '%s\\n' '' 'old.x86_64    2.0-1    updates'; exit 100;;
  list*) printf '%s\\n' 'Installed Packages' "$2.x86_64 1.0-1 @base" 'Available Packages'; case "$2" in ranged) ;; *) echo "$2.x86_64 2.0-1 base";; esac;;
  *newlocked) echo 'Error: Unable to find a match: newlocked' >&2; exit 1;;
  *" install new") echo "new 0 2.0 1 x86_64" >> "$f/rpms";;
  *grade*kept*) echo "No match for argument: $last" >&2; echo 'Error: No packages marked for upgrade.' >&2; exit 1;;
  *grade*arched*|*date*arched*) sed -i 's/^arched 0 1.0/arched 0 2.0/' "$f/rpms";;
  *grade*old|*date*old) sed -i 's/^old 0 1.0/old 0 2.0/' "$f/rpms";;
esac`

applyBoth(openvox, 'packages that rpm tools lock', [], {
  'dnf versionlock': { manifest: lockedManifest, files: { rpms }, programs: { rpm, dnf: lockingDnf }, facts: redHat },
  'yum versionlock': {
    manifest: `Package { provider => yum } ${lockedManifest}`,
    files: { rpms },
    programs: { rpm, yum: lockingDnf },
    facts: redHat,
  },
  'zypper addlock': {
    manifest: lockedManifest,
    files: { rpms },
    programs: {
      rpm,
      zypper: String.raw`
case "$*" in
  --version) echo "zypper 1.14.59";;
  list-updates) printf '%s\n' 'S | Repository | Name | Current | Available | Arch' 'v | Main | old | 1.0-1 | 2.0-1 | x86_64' '  | Main | locked | 1.0-1 | 2.0-1 | x86_64';;
  search*ranged) printf '%s\n' 'S  | Name | Type | Version | Arch | Repo' 'il | ranged | package | 1.0-1 | x86_64 | Main' 'vl | ranged | package | 2.0-1 | x86_64 | Main';;
  search*) echo 'No matching items found.'; exit 104;;
  *install*locked|*install*kept*) printf '%s\n' "Problem: the to be installed $last conflicts with 'namespace:locked'" ' Solution 1: remove lock to allow installation' "Choose from above solutions by number or cancel [1/c/d/?] (c): c"; exit 4;;
  *install*ranged*) sed -i 's/^ranged 0 1.0/ranged 0 2.0/' "$f/rpms";;
  *install*arched*) sed -i 's/^arched 0 1.0/arched 0 2.0/' "$f/rpms";;
  *install*old) sed -i 's/^old 0 1.0/old 0 2.0/' "$f/rpms";;
  *install*new) echo "new 0 2.0 1 x86_64" >> "$f/rpms";;
esac`,
    },
    facts: suse,
  },
})

const pip = `
case "$*" in
  --version) echo "pip 23.0.1 from /usr/lib/python3/dist-packages/pip (python 3.11)";;
  freeze*) cat "$f/wheels";;
  *nosuch==versionplease*) echo 'ERROR: Could not find a version that satisfies the requirement nosuch==versionplease (from versions: none)' >&2; exit 1;;
  *versionplease*) echo "ERROR: Could not find a version that satisfies the requirement x==versionplease (from versions: 1.0, 1.10, 1.9, 2.0rc1, 2.0)" >&2; exit 1;;
  install*nosuch*) echo 'ERROR: No matching distribution found for nosuch' >&2; exit 1;;
  install*--upgrade*) sed -i "/^$last==/Id" "$f/wheels"; echo "$last==2.0" >> "$f/wheels";;
  install*==*) sed -i "/^$name==/Id" "$f/wheels"; echo "$last" >> "$f/wheels";;
  install*) echo "$last==2.0" >> "$f/wheels";;
esac`

const gem = String.raw`
case "$*" in
  --version) echo 3.3.15;;
  'list --local') cat "$f/gems";;
  'list --local '*) echo; grep "^$(echo "$last" | tr -d 'A\z') " "$f/gems" || :;;
  'list --remote'*nosuch*) echo; echo '*** REMOTE GEMS ***'; echo;;
  'list --remote'*) n=$(echo "$last" | tr -d '^$'); printf '%s\n' '' '*** REMOTE GEMS ***' '' "$n (2.0, 1.5 ruby java)";;
  install*nosuch*) echo "ERROR:  Could not find a valid gem 'nosuch' (>= 0) in any repository" >&2; exit 2;;
  install*) n=$last; sed -i "s/^$n (\(.*\))/$n (2.0, \1)/" "$f/gems"; grep -q "^$n " "$f/gems" || echo "$n (2.0)" >> "$f/gems";;
esac`

applyBoth(puppet, 'the newest package of Python and Ruby', [], {
  pip: {
    manifest: `
      Package { provider => pip3, ensure => latest }
      package { ['old', 'newest', 'newer', 'nosuch', 'new']: }
      package { 'odd': ensure => '1.0' } package { 'pre': ensure => '2.0rc1' }`,
    files: {
      wheels:
        'old==1.0\nnewest==2.0\nnewer==3.0\nodd===1.0\npre==2.0rc1\n# editable\n-e git+https://x/y.git@abc#egg=y\n',
    },
    programs: { pip3: pip },
  },
  gem: {
    manifest: `
      Package { provider => gem, ensure => latest }
      package { ['old', 'newest', 'beside', 'nosuch', 'new']: }
      package { 'default': ensure => '1.0' } package { 'pinned': ensure => '~> 1.0' }
      package { 'two': ensure => ['1.5'] }`,
    files: {
      gems: '\n*** LOCAL GEMS ***\n\nold (1.0)\nnewest (2.0)\nbeside (2.0, 1.0)\ndefault (default: 1.0)\npinned (1.4, 0.9)\ntwo (1.5 ruby java, 1.4)\n',
    },
    programs: { gem },
  },
})
