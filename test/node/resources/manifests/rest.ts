import { type Manifests, wrong, wrongValues } from './table.ts'

const running = {
  'init.d/up': '#!/bin/sh\ncase "$1" in status) exit 0;; *) echo "up $1" >> "$(dirname "$0")/../ran";; esac\n',
  'init.d/down': '#!/bin/sh\ncase "$1" in status) exit 3;; *) echo "down $1" >> "$(dirname "$0")/../ran";; esac\n',
  'init.d/broken': '#!/bin/sh\necho "cannot $1"; echo "at all" >&2; exit 1\n',
}
const executable = { 'init.d/up': 0o755, 'init.d/down': 0o755, 'init.d/broken': 0o755 }

/** Services whose commands a manifest gives, and those of scripts. */
export const services: Manifests = {
  'services of commands': `
    Service { provider => base }
    service { 'a': ensure => running, start => '/bin/touch @/a', stop => '/bin/rm @/a', status => '/usr/bin/test -e @/a' }
    service { 'b': ensure => stopped, stop => '/bin/rm @/b', status => '/usr/bin/test -e @/b' }
    service { 'c': ensure => running, start => '/bin/false', status => '/bin/false' }
    service { 'd': ensure => running, status => '/bin/true', restart => '/bin/echo again', subscribe => Notify['n'] }
    service { 'e': ensure => running, status => '/bin/true', start => '/bin/true', stop => '/bin/true', subscribe => Notify['n'] }
    notify { 'n': }`,
  'services found among processes': `
    Service { provider => base, hasstatus => false }
    service { 'a': ensure => stopped, pattern => 'nothing-of-that-name-runs' }
    service { 'b': ensure => running, pattern => 'nothing-of-that-name-runs', start => '/bin/true' }`,
  'services without what is needed': `
    Service { provider => base }
    service { 'a': ensure => running, status => '/bin/false' } service { 'c': enable => true }`,
  'services of scripts': {
    files: running,
    modes: executable,
    manifest: `
      Service { provider => init, path => '@/init.d' }
      service { 'up': ensure => running } service { 'down': ensure => running }
      service { 'broken': ensure => running } service { 'none': ensure => running } service { 'unseen': ensure => stopped }`,
  },
  'services, in noop': {
    noop: true,
    manifest:
      "service { 'a': ensure => running, provider => base, status => '/bin/false', start => '/bin/true' } service { 'b': ensure => stopped, provider => base, status => '/bin/true' }",
  },
  ...wrongValues('service', 'x', {
    ensure: ["'up'", "'present'"],
    enable: ["'often'"],
    hasstatus: ["'x'"],
    hasrestart: ["'x'"],
    timeout: ["'x'", '-1'],
    nothing: ['1'],
  }),
}

/** Packages, and what they do not take. */
export const packages: Manifests = {
  'packages of providers that this machine has not': `
    package { 'a': provider => pkgng } package { 'b': provider => windows } package { 'c': provider => macports, ensure => absent }
    notify { 'after': require => Package['a'] } notify { 'free': }`,
  'packages of one name': {
    manifest: "package { 'a': name => 'x' } package { 'b': name => 'x' }",
    once: 'refused',
  },
  ...wrongValues('package', 'x', {
    install_only: ["'x'"],
    allow_virtual: ["'x'"],
    configfiles: ["'x'"],
    enable_only: ["'x'"],
    reinstall_on_refresh: ["'x'"],
    mark: ["'x'"],
    nothing: ['1'],
  }),
}

const lines = 'one = 1\n# note\ntwo = 2\n'

/** What the modules of Puppet's own bring. */
export const ofModules: Manifests = {
  'trees of a file': {
    files: { hosts: '10.0.0.1 one\n10.0.0.2 two alias\n' },
    manifest: `
      Augeas { incl => '@/hosts', lens => 'Hosts.lns' }
      augeas { 'set': changes => ['set *[canonical = "one"]/alias[1] uno', 'rm *[canonical = "two"]/alias'] }
      augeas { 'if': changes => 'set 01/ipaddr 10.0.0.9', onlyif => 'match *[canonical = "none"] size > 0' }
      augeas { 'new': changes => ['set 01/ipaddr 10.0.0.3', 'set 01/canonical three'], onlyif => 'match *[canonical = "three"] size == 0' }`,
  },
  'trees, in noop': {
    files: { hosts: '10.0.0.1 one\n' },
    noop: true,
    manifest: "augeas { 'set': incl => '@/hosts', lens => 'Hosts.lns', changes => 'set 1/canonical two' }",
  },
  'trees that cannot be changed': {
    files: { hosts: '10.0.0.1 one\n' },
    manifest: `
      Augeas { incl => '@/hosts', lens => 'Hosts.lns' }
      augeas { 'unknown': changes => 'nonsense 1' } augeas { 'words': changes => 'set' } augeas { 'lens': lens => 'None.lns', changes => 'rm 1' }
      augeas { 'path': changes => 'set 1/nothing x' } augeas { 'half': lens => undef, changes => 'rm 1' }`,
  },
  'lines of files': {
    files: { a: lines },
    manifest: `
      File_line { path => '@/a' }
      file_line { 'three': line => 'three = 3' } file_line { 'one': line => 'one = 0', match => '^one' }
      file_line { 'two': ensure => absent, line => 'two = 2' } file_line { 'none': line => 'x', match => '^none', append_on_no_match => false }
      file_line { 'after': line => 'noted', after => '^# note' } file_line { 'gone': ensure => absent, match => '^#', match_for_absence => true }`,
  },
  'settings of files': {
    files: { a: '[s]\nkey = 1\nother=2\n', b: 'top=1\n' },
    manifest: `
      Ini_setting { path => '@/a', section => 's' }
      ini_setting { 'k': setting => 'key', value => '2' } ini_setting { 'n': setting => 'new', value => 'x y' }
      ini_setting { 'g': ensure => absent, setting => 'other' } ini_setting { 't': path => '@/b', section => '', setting => 'top', value => '2' }
      ini_subsetting { 'sub': path => '@/b', section => '', setting => 'opts', subsetting => '-X', value => '5' }`,
  },
  'files of fragments': `
    concat_file { '@/a': mode => '0600' } concat_fragment { 'two': target => '@/a', content => "2\\n", order => '20' }
    concat_fragment { 'one': target => '@/a', content => "1\\n", order => '10' } anchor { 'x': require => Concat_file['@/a'] }`,
  'files that are old': {
    files: { 'd/a.tmp': 'a', 'd/b.txt': 'b', 'd/s/c.tmp': 'c' },
    manifest: "tidy { '@/d': recurse => true, matches => '*.tmp', rmdirs => true, backup => false }",
  },
  ...wrongValues('augeas', 'x', {
    show_diff: ["'x'"],
    type_check: ["'x'"],
    nothing: ['1'],
  }),
  ...wrongValues('file_line', 'x', {
    path: ["'relative'"],
    line: ['"a\\nb"'],
    match: ["'['"],
    multiple: ["'x'"],
    ensure: ["'x'"],
    replace: ["'x'"],
  }),
  ...wrongValues('selboolean', 'x', { value: ["'maybe'"], persistent: ["'x'"] }),
  ...wrongValues('selmodule', 'x', { selmoduledir: ["'relative'"], syncversion: ["'x'"], ensure: ["'x'"] }),
  ...wrongValues('resources', 'user', { purge: ["'x'"], unless_system_user: ["'x'"], unless_uid: ["'x'", '[1, x]'] }),
  ...wrongValues('resources', 'exec', { purge: ['true'] }),
  ...wrongValues('ini_setting', 'x', {
    path: ["'relative'"],
    show_diff: ["'x'"],
    ensure: ["'x'"],
    nothing: ['1'],
  }),
  ...wrongValues('tidy', '/x', {
    age: ["'x'"],
    recurse: ["'x'"],
    type: ["'x'"],
    max_files: ["'x'"],
    path: ["'r'"],
  }),
  ...wrong({
    'a fragment without a target': "concat_fragment { 'x': content => 'a' }",
    'a line without a path': "file_line { 'x': line => 'a' }",
    'a line and no pattern for its absence':
      "file_line { 'x': path => '/x', ensure => absent, match_for_absence => true }",
    'resources without purge that are none': "resources { 'none': }",
  }),
}
