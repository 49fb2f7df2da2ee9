import { openvoxAnswers } from '../../../support/openvox.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const redHat = {
  osfamily: 'RedHat',
  operatingsystem: 'Rocky',
  operatingsystemmajrelease: '9',
  os: { family: 'RedHat', name: 'Rocky', release: { major: '9', full: '9.4' } },
}
const suse = {
  osfamily: 'Suse',
  operatingsystem: 'SLES',
  operatingsystemmajrelease: '15',
  os: { family: 'Suse', name: 'SLES', release: { major: '15', full: '15.5' } },
}
const arch = {
  osfamily: 'Archlinux',
  operatingsystem: 'Archlinux',
  os: { family: 'Archlinux', name: 'Archlinux', release: { major: 'rolling', full: 'rolling' } },
}

/** An rpm whose packages are lines of the file `rpms`: name, epoch, version, release, architecture. */
const rpm = `
case "$1" in
  --version) echo "RPM version 4.16.1.3";;
  -qa) cat "$f/rpms";;
  -q)
    if [ "$2" = --qf ]; then echo "filed 0 3.0 1 noarch"; exit 0; fi
    case "$*" in *--whatprovides*) grep "^provides-$2 " "$f/rpms" && exit 0;; esac
    grep "^$2 " "$f/rpms" || { echo "package $2 is not installed"; exit 1; };;
  -e) shift; case "$*" in *stuck*) echo "error: stuck is needed by others" >&2; exit 1;; esac;;
  -U|-i) echo installed;;
esac`

/** A dnf or yum that notes what it installs among the packages of rpm. */
const dnf = `
case "$*" in
  *check-update*)
    echo
    printf '%s\\n' 'old.x86_64    2.0-1.el9    updates' 'Last metadata.here x y' 'long-name-of-a-package.noarch' '    1:7.0-2.el9   base'
    exit 100;;
  list*)
    printf '%s\\n' 'Last metadata' 'Installed Packages' 'ranged.x86_64 1.0-1 @base' 'Available Packages' 'ranged.x86_64 1.5-1 base' 'ranged.x86_64 1:1.6-2 base' 'ranged.x86_64 2.5-1 base';;
  *"install none"*) echo "No package none available.";;
  *broken*) echo "Error: Unable to find a match: broken" >&2; exit 1;;
  *"install new"*) echo "new 0 1.0 1.el9 x86_64" >> "$f/rpms";;
  *"upgrade old"*|*"update old"*) sed -i 's/^old 0 1.0 1.el9/old 0 2.0 1.el9/' "$f/rpms";;
  *"downgrade down"*) sed -i 's/^down 0 3.0/down 0 2.0/' "$f/rpms";;
  *ranged-*) sed -i 's/^ranged 0 1.0 1/ranged 0 1.5 1/' "$f/rpms";;
  *erase*|*remove*) sed -i "/^$last /d" "$f/rpms";;
esac`

const rpms = `down 0 3.0 1.el9 x86_64
kernel 0 5.1 1 x86_64
kernel 0 5.2 1 x86_64
old 0 1.0 1.el9 x86_64
provides-virtual 0 1 1 noarch
ranged 0 1.0 1 x86_64
stuck 2 1.0 1 x86_64
there 0 1.0 1.el9 x86_64
gone 0 1.0 1.el9 x86_64
`

const yumManifest = `
  package { ['new', 'there', 'virtual']: ensure => installed }
  package { 'old': ensure => latest }
  package { 'down': ensure => '2.0-1.el9' }
  package { 'ranged': ensure => '>=1.1 <2.0' }
  package { 'kernel': ensure => '5.1-1', install_only => true }
  package { 'none': install_options => ['--enablerepo=x', { '--b' => 'c', '--a' => 'd' }] }
  package { 'broken': ensure => installed, allow_virtual => false }
  package { 'broken2': ensure => '1.0' }
  package { 'gone': ensure => purged }
  package { 'gone2': ensure => absent }
  package { 'stuck': ensure => absent }`

// Puppet 7 passes options and a command that dnf 5 has no more; OpenVox does not.
applyBoth(openvoxAnswers(import.meta.filename, 'OpenVox 8.28.1', puppet), 'packages of rpm', [], {
  'dnf is the default of RedHat 9': {
    manifest: yumManifest,
    files: { rpms },
    programs: { rpm, dnf },
    facts: redHat,
  },
  'yum by name': {
    manifest: `Package { provider => yum } ${yumManifest}`,
    files: { rpms },
    programs: { rpm, yum: dnf },
    facts: redHat,
    nightly: true,
  },
  'rpm by name': {
    manifest: `Package { provider => rpm }
      package { 'there': } package { 'filed': source => '@/filed.rpm' }
      package { 'there-1.0': ensure => absent }
      package { 'old': ensure => latest, source => '/srv/old.rpm', install_options => ['--nodeps'] }
      package { 'kernel': ensure => absent, install_only => true, uninstall_options => ['--test'] }
      package { 'none': } package { 'down': ensure => '3.0' } package { 'stuck': ensure => '2:1.0-1' }`,
    files: { rpms },
    programs: { rpm },
    facts: redHat,
    nightly: true,
  },
  'modules of dnf': {
    manifest: `
      Package { provider => dnfmodule }
      package { 'postgresql': ensure => '13', flavor => 'client' } package { 'there': ensure => present }
      package { 'nodejs': ensure => '18' } package { 'perl': ensure => disabled } package { 'ruby': ensure => disabled }
      package { 'php': enable_only => true } package { 'noprofile': } package { 'gone': ensure => absent }
      package { 'flavoured': flavor => 'minimal' } package { 'missing': }`,
    files: {
      modules:
        'Name   Stream Profiles Summary\nthere  1 [d][e] common [d] text\nnodejs 16 [d][e] common [d] [i], min text\n' +
        'gone 3 [e] common [d] [i] text\nruby 2.5 [x] common text\nflavoured 1 [e] common [i], minimal text\nidle 1 common\n',
    },
    programs: {
      rpm,
      dnf: `
case "$*" in
  --version) echo 4.14.0; echo Installed;;
  'module list'*) cat "$f/modules";;
  *'install'*noprofile) echo 'Error: Problems in request:'; echo 'missing groups or modules: noprofile'; exit 1;;
  *missing) echo 'Error: no' >&2; exit 1;;
esac`,
    },
    facts: redHat,
    once: 'nothing is changed by these programs',
  },
  'what no package manager of them can do': {
    manifest: "package { 'none': ensure => disabled }",
    once: 'the catalog is refused, both times',
    programs: { rpm, dnf },
    facts: redHat,
  },
  'what all packages share': {
    manifest: `
      notify { 'all': } ~> package { 'there': reinstall_on_refresh => true }
      package { 'flavoured': flavor => x }
      package { 'down': provider => yum, ensure => latest }
      package { 'audited': audit => all, ensure => absent }`,
    files: { rpms },
    programs: { rpm, dnf, yum: 'echo no repository >&2; exit 1' },
    facts: redHat,
  },
})

/** The words of `dpkg-query` on each package that is a line of the file `debs`. */
const dpkgQuery = `
case "$*" in
  *Provides*) sed 's/$/ []/' "$f/debs"; echo 'install ok installed real 1.0 [unreal, other (= 1)]';;
  *) if [ -z "$4" ]; then cat "$f/debs"; exit 0; fi
    grep " $last [0-9]" "$f/debs" || { echo "dpkg-query: no packages found matching $last" >&2; exit 1; };;
esac`

const aptGet = `
case "$*" in
  *broken*) echo "E: Unable to locate package broken" >&2; exit 100;;
  *install*old*) sed -i 's/ old 1.0$/ old 2.0/' "$f/debs";;
  *install*kept*) sed -i "s/ kept 1.0$/ kept $version/" "$f/debs";;
  *install*) echo "install ok installed $name 1.0" >> "$f/debs";;
  *remove*|*purge*) sed -i "/ $last /d" "$f/debs";;
esac`

const aptCache = String.raw`
case "$1" in
  policy) printf '%s\n' "$2:" '  Installed: 1.0' '  Candidate: 2.0' '  Version table:';;
  madison) printf '%s\n' "$2 | 2.0 | http://x" "$2 | 1.5-1 | http://x";;
esac`

const debs = `install ok installed there 1.0
install ok installed old 1.0
hold ok installed kept 1.0
hold ok installed purged 1.0
deinstall ok config-files rest 1.0
install reinstreq installed ill 1.0
install ok installed real 1.0
`

const dpkg = `
case "$*" in --set-selections) sed "s/^/  /" >> "$f/ran";; --purge*) sed -i "/ $2 /d" "$f/debs";; *bad.deb*) exit 2;; esac`

const pip = `
case "$*" in
  --version) echo "pip 20.3.4 from /usr/lib/python3/dist-packages/pip (python 3.9)";;
  freeze*) cat "$f/wheels";;
  *versionplease*) echo "ERROR: Could not find a version that satisfies the requirement x==versionplease (from versions: 1.0, 1.10, 1.9, 2.0rc1, 2.0.dev3)"; exit 1;;
  *broken*) echo "No matching distribution found for broken" >&2; exit 1;;
  install*==*) sed -i "/^$name==/Id" "$f/wheels"; echo "$last" >> "$f/wheels";;
  install*) echo "$version==9.9" >> "$f/wheels";;
  uninstall*) sed -i "/^$4==/d" "$f/wheels";;
esac`

const gem = String.raw`
case "$*" in
  --version) echo 3.3.15;;
  'list --local') cat "$f/gems";;
  'list --local '*) echo; grep "^$(echo "$last" | tr -d 'A\z') " "$f/gems" || :;;
  'list --remote'*) echo 'old (2.0, 1.0 ruby java)';;
  *broken*) echo "ERROR:  Could not find a valid gem 'broken'";;
  install*) echo "$last (1.2.5)" >> "$f/gems";;
  uninstall*) sed -i "/^$4 /d" "$f/gems";;
esac`

applyBoth(puppet, 'packages of Debian, of Python and of Ruby', [], {
  'apt, aptitude and dpkg': {
    manifest: `
      package { ['new', 'there', 'rest', 'broken', 'ill']: }
      package { 'old': ensure => latest }
      package { 'kept': ensure => '>=1.2 <2.0', mark => hold }
      package { 'purged': ensure => purged }
      package { 'gone': ensure => absent } package { 'away': ensure => absent }
      package { 'unreal': allow_virtual => true }
      package { 'filed': provider => dpkg, ensure => latest, source => '@/filed.deb' }
      package { 'unfiled': provider => dpkg } package { 'bad': provider => dpkg, source => '@/bad.deb' }
      package { 'real': mark => hold }
      package { 'new2': provider => aptitude, install_options => [{ '-t' => 'sid' }] }
      package { 'new3': install_options => [{ '-t' => 'sid' }], responsefile => '@/answers' }
      package { 'purged2': provider => aptitude, ensure => purged }`,
    files: { debs },
    programs: {
      'dpkg-query': dpkgQuery,
      'apt-get': aptGet,
      'apt-cache': aptCache,
      'apt-mark': ':',
      aptitude: aptGet,
      dpkg,
      'dpkg-deb': 'printf "filed\t3.0\n"',
    },
  },
  'pip and gem': {
    manifest: `
      Package { provider => pip }
      package { ['There', 'newpip', 'broken']: } package { 'gone': ensure => absent }
      package { 'same': ensure => '1.0.0' } package { 'other': ensure => '1.1' }
      package { 'ranged': ensure => '>=1.0 <2.0' } package { 'inrange': ensure => '>=1.0 <2.0' }
      package { 'out': ensure => '>3' } package { 'oldpip': ensure => latest }
      package { 'repo': source => 'git+https://x/repo.git', ensure => 'v1' }
      package { 'threeone': provider => pip3, ensure => '2.0', install_options => ['--user'] }
      package { 'g-there': name => 'there', provider => gem }
      package { 'g-new': name => 'new', provider => gem, ensure => '~> 1.2' }
      package { 'g-pre': name => 'pre', provider => gem, ensure => '1.2.0.rc1' }
      package { 'g-ranged': name => 'ranged', provider => gem, ensure => '>1.0 <2.0' }
      package { 'g-within': name => 'within', provider => gem, ensure => '>1.0, <2.0' }
      package { 'g-old': name => 'old', provider => gem, ensure => latest, source => 'https://gems.example' }
      package { 'g-filed': name => 'filed', provider => gem, source => '/srv/filed.gem', install_options => ['--local'] }
      package { 'g-broken': name => 'broken', provider => gem }
      package { 'g-puppet': name => 'puppet', provider => gem, source => 'puppet:///modules/x' }
      package { 'g-gone': name => 'gone', provider => gem, ensure => absent, uninstall_options => ['--force'] }`,
    files: {
      wheels:
        'there==1.0\nsame==1.0\nother==1.0\nranged==2.0\ninrange==1.10\nout==1.0\noldpip==1.0\ngone==2\nodd @ file:///x\n',
      gems: '\n*** LOCAL GEMS ***\n\nthere (default: 1.0)\nold (1.0 ruby, 0.9)\nwithin (1.5, 1.4)\nranged (1.0)\ngone (1.0)\n',
    },
    programs: { pip, pip3: pip, gem },
  },
})

applyBoth(puppet, 'packages of SUSE and of Arch Linux', [], {
  zypper: {
    manifest: `
      package { ['new', 'there', 'none']: } package { 'old': ensure => latest }
      package { 'ranged': ensure => '>=1.1 <2.0', install_options => ['--no-gpg-checks', { '--from' => 'repo' }] }
      package { 'down': ensure => '2.0', allow_virtual => false } package { 'strict': allow_virtual => false }
      package { 'gone': ensure => absent } package { 'gone2': ensure => absent }`,
    files: { rpms },
    programs: {
      rpm,
      zypper: String.raw`
case "$*" in
  --version) echo "zypper 1.14.59";;
  list-updates) printf '%s\n' 'S | Repository | Name | Current | Available | Arch' 'v | Main | old | 1.0-1.el9 | 2.0-1.el9 | x86_64';;
  search*) printf '%s\n' 'S | Name | Type | Version | Arch | Repo' '  | ranged | package | 1.6-1 | x86_64 | Main' '  | ranged | package | 2.6-1 | x86_64 | Main';;
  *"none") echo "No provider of 'none' found." >&2; exit 104;;
  *install*new|*install*strict) echo "$last 0 1.0 1.el9 x86_64" >> "$f/rpms";;
  *install*old) sed -i 's/^old 0 1.0 1.el9/old 0 2.0 1.el9/' "$f/rpms";;
  remove*) sed -i "/^$last /d" "$f/rpms";;
esac`,
    },
    facts: suse,
    nightly: true,
  },
  pacman: {
    manifest: `
      package { ['new', 'there', 'none', 'group']: } package { 'old': ensure => latest }
      package { 'group2': ensure => latest } package { 'group3': allow_virtual => false }
      package { 'filed': source => 'file:///srv/x.pkg' } package { 'puppet': source => 'puppet:///modules/x' }
      package { 'opts': install_options => ['-u', { '--a' => 'b' }] }
      package { 'gone': ensure => absent, uninstall_options => ['-n'] } package { 'gone2': ensure => absent }`,
    files: { packages: 'there 1.0\nold 1.0\ngone 1.0\nmember1 1.0\nmember2 2.0\n' },
    programs: {
      pacman: String.raw`
case "$*" in
  -Q) cat "$f/packages";;
  "-Sg group"*) echo "$2 member1";;
  "-Sg "*) exit 1;;
  "-Sgg") printf '%s\n' 'group member2' 'group member1' 'missing other';;
  "-Sgg group"*) printf '%s\n' "$2 member2" "$2 member1";;
  "-Sgg "*) exit 1;;
  *"%n %v"*) printf '%s\n' 'member2 2.0' 'member1 1.0';;
  *"%v"*) echo 2.0;;
  *none) echo 'error: target not found: none' >&2; exit 1;;
  *-S*old) sed -i 's/^old 1.0/old 2.0/' "$f/packages";;
  *-S*new|*-S*opts) echo "$last 1.0" >> "$f/packages";;
  *-R*) sed -i "/^$last /d" "$f/packages";;
esac`,
    },
    facts: arch,
    nightly: true,
  },
})
