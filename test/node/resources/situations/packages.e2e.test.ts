import { recordedAnswers } from '../../../support/recorded-answers.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/**
 * Packages in a file `db`: a line `NAME WANT STATUS VERSION` is installed or known to dpkg, a line `NAME = VERSION` is a version
 * that apt has.
 */
const programs = {
  'dpkg-query': `
    for last; do :; done
    case "$*" in
      *-W*--showformat*|*--showformat*-W*)
        case "$last" in
          *Status*) grep -v ' = ' "$f/db" | while read n w s v; do echo "$w ok $s $n $v"; done ;;
          *) grep -v ' = ' "$f/db" | grep "^$last " | { read n w s v && echo "$w ok $s $n $v" || { echo "dpkg-query: no packages found matching $last" >&2; exit 1; }; } ;;
        esac ;;
    esac`,
  'apt-cache': `
    for last; do :; done
    case "$1" in
      madison) grep "^$last = " "$f/db" | while read n e v; do echo " $n | $v | http://deb stable/main amd64 Packages"; done ;;
      policy)
        found=$(grep "^$last = " "$f/db" | sort -r | head -1 | sed 's/.* = //')
        [ -n "$found" ] && echo "$last:" && echo "  Installed: (none)" && echo "  Candidate: $found" ;;
    esac`,
  'apt-get': `
    for last; do :; done
    name=$(echo "$last" | sed 's/=.*//') version=$(echo "$last" | sed -n 's/.*=//p')
    case "$*" in
      *' install '*|*install)
        [ -z "$version" ] && version=$(grep "^$name = " "$f/db" | sort -r | head -1 | sed 's/.* = //')
        grep -q "^$name = $version\\$" "$f/db" || { echo "E: Unable to locate package $name" >&2; exit 100; }
        grep -v "^$name [a-z]" "$f/db" > "$f/db2"; echo "$name install installed $version" >> "$f/db2"; mv "$f/db2" "$f/db" ;;
      *remove*) sed -i "s/^$name [a-z]* [a-z-]* /$name deinstall config-files /" "$f/db" ;;
      *purge*) grep -v "^$name [a-z]" "$f/db" > "$f/db2"; mv "$f/db2" "$f/db" ;;
    esac`,
  'apt-mark': 'exit 0',
  dpkg: 'exit 0',
}
const db = `here install installed 1.0-1
here = 1.0-1
here = 1.1-1
new = 1:2.0~rc1-1
new = 1:2.0-1
gone deinstall config-files 0.9
gone = 0.9
purged-here install installed 1.0
purged-gone deinstall config-files 0.9
held hold installed 1.0
held = 1.5
broken install half-configured 3.0
broken = 3.0
`
const aptPackage = (attributes: string, name = 'here'): ApplyCase => ({
  programs,
  files: { db },
  facts: { os: { family: 'Debian', name: 'Debian', release: { major: '12', full: '12.5' } } },
  manifest: `package { '${name}': provider => apt, ${attributes} }`,
})

situations(puppet, 'packages', [], {
  'installed that is there': aptPackage('ensure => installed'),
  'present that is missing': aptPackage('ensure => present', 'new'),
  latest: aptPackage('ensure => latest'),
  'latest that is missing': aptPackage('ensure => latest', 'new'),
  'a version that is there': aptPackage("ensure => '1.0-1'"),
  'a newer version': aptPackage("ensure => '1.1-1'"),
  'a version that apt has not': aptPackage("ensure => '9.9'"),
  'a version with an epoch and a tilde': aptPackage("ensure => '1:2.0~rc1-1'", 'new'),
  'an older version': {
    ...aptPackage("ensure => '1.0-1'"),
    files: { db: db.replace('here install installed 1.0-1', 'here install installed 1.1-1') },
  },
  'a range': aptPackage("ensure => '>=1.0-1 <1.1-1'"),
  'a range that wants a newer version': aptPackage("ensure => '>1.0-1'"),
  'a range that nothing meets': aptPackage("ensure => '>2'"),
  'a range with a tilde': aptPackage("ensure => '~>1.0'"),
  'a package that is not known': aptPackage('ensure => installed', 'none-such'),
  absent: aptPackage('ensure => absent'),
  'absent that is missing': aptPackage('ensure => absent', 'new'),
  'absent of which the configuration is left': aptPackage('ensure => absent', 'gone'),
  purged: aptPackage('ensure => purged', 'purged-here'),
  'purged of which the configuration is left': aptPackage('ensure => purged', 'purged-gone'),
  'purged that is missing': aptPackage('ensure => purged', 'new'),
  'held by ensure': aptPackage('ensure => held'),
  'mark => hold': aptPackage('ensure => installed, mark => hold'),
  'mark => hold of what is held': aptPackage('ensure => installed, mark => hold', 'held'),
  'mark => none of what is held': aptPackage('ensure => installed, mark => none', 'held'),
  'latest of what is held': aptPackage('ensure => latest', 'held'),
  'a mark that is unknown': aptPackage('ensure => installed, mark => keep'),
  'a package that is half configured': aptPackage('ensure => installed', 'broken'),
  'a name with a version': aptPackage('ensure => installed', 'new=1:2.0-1'),
  'a name with an architecture': aptPackage('ensure => installed', 'here:amd64'),
  'install options of each form': aptPackage(
    "ensure => installed, install_options => ['-o', 'A=B', { '-t' => 'backports' }, '--x']",
    'new',
  ),
  'uninstall options': aptPackage("ensure => absent, uninstall_options => ['-y']"),
  'configfiles => replace': aptPackage("ensure => '1.1-1', configfiles => replace"),
  'configfiles => keep': aptPackage("ensure => '1.1-1', configfiles => keep"),
  'a response file': aptPackage("ensure => present, responsefile => '/none'", 'new'),
  'allow_virtual and reinstall_on_refresh': {
    ...aptPackage(''),
    manifest:
      "notify { 'n': } ~> package { 'here': provider => apt, ensure => installed, reinstall_on_refresh => true, allow_virtual => false }",
  },
  'an array of names': {
    ...aptPackage(''),
    manifest:
      "package { ['here', 'new']: ensure => installed, provider => apt } package { 'other': name => 'gone', ensure => present, provider => apt }",
  },
  'two titles of one name': {
    ...aptPackage(''),
    manifest: "package { 'a': name => 'here', provider => apt } package { 'b': name => 'here', provider => apt }",
  },
  'an empty version': aptPackage("ensure => ''"),
  'noop of each kind': {
    ...aptPackage(''),
    noop: true,
    manifest: `
      Package { provider => apt }
      package { 'here': ensure => latest } package { 'new': } package { 'held': ensure => absent } package { 'gone': ensure => purged }`,
  },
})
