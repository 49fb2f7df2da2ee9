import { recordedAnswers } from '../../support/recorded-answers.ts'
import { applyBoth } from '../resources/beside-puppet/apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** The sum of `hello\n`. */
const hello = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03'

/** The folder of a sum in a bucket. */
const placeOf = (sum: string) => [...sum.slice(0, 8), sum].join('/')

applyBoth(puppet, 'a catalog is applied as real Puppet applies it', [], {
  'a class with files, commands and messages': {
    manifest: `
      class demo {
        file { '@/d': ensure => directory, mode => '0750' }
        -> file { '@/d/a': content => "hello\\n", mode => 'u=rw,go=r' }
        file { '@/d/l': ensure => link, target => '@/d/a' }
        exec { 'e1': command => '/bin/echo hi', logoutput => true, subscribe => File['@/d/a'] }
        exec { 'e2': command => '/bin/false' , path => '/bin' }
        notify { 'after': require => Exec['e2'] }
        notify { 'msg': message => 'hello', withpath => true }
        exec { 'e3': command => '/bin/echo ref', refreshonly => true, subscribe => Exec['e1'] }
        file { '@/d/sens': content => Sensitive('abc') }
      }
      include demo`,
  },
  'changes of what is there, with a diff': {
    files: { a: 'changed\n', 'd/x': 'x', keep: 'kept' },
    manifest: `
      file { '@/a': content => "hello\\nworld\\n", mode => '0600', show_diff => true }
      file { '@/d': ensure => absent }
      file { '@/d/x': ensure => absent }
      file { '@/keep': content => 'other', replace => false }
      file { '@/gone': ensure => absent }`,
  },
  'a directory in the way, with and without force': {
    files: { 'd/x': 'x', 'e/x': 'x' },
    manifest: `
      file { '@/d': ensure => absent, force => true }
      file { '@/e': ensure => link, target => '/etc/motd', force => true }`,
  },
  'only what would be done': {
    noop: true,
    files: { a: 'old' },
    manifest: `
      class demo {
        file { '@/a': content => 'new', mode => '0640', notify => Exec['e'] }
        file { '@/b': ensure => directory }
        exec { 'e': command => '/bin/echo hi', refreshonly => true }
        notify { 'm': }
      }
      include demo`,
  },
  'containers that pass refreshes on': {
    manifest: `
      class a { file { '@/a': content => 'x' } file { '@/b': content => 'y' } }
      class b { exec { 'b': command => '/bin/true', refreshonly => true } }
      define c { exec { "c\${title}": command => '/bin/true', refreshonly => true } }
      c { ['1', '2']: }
      include a, b
      Class['a'] ~> Class['b'] ~> C['1'] -> C['2']`,
  },
  'failures that stop what depends on them': {
    manifest: `
      class a { exec { 'no': command => '/bin/false' } file { '@/a': content => 'x', require => Exec['no'] } }
      class b { notify { 'b': } notify { 'c': require => Notify['b'] } }
      include a, b
      Class['a'] -> Class['b']
      notify { 'free': }`,
  },
  'providers that do not work here': {
    manifest: `
      class c { service { 'x': ensure => running, provider => 'launchd' } }
      package { 'p': provider => 'macports', before => Notify['dep'] }
      notify { 'dep': } notify { 'other': require => Class['c'] }
      notify { 'last': }
      include c`,
  },
  'a circle': {
    manifest: `
      file { '@/x': ensure => file, require => File['@/y'] }
      file { '@/y': ensure => file, require => File['@/z'] }
      file { '@/z': ensure => file, require => File['@/x'] }`,
  },
  'folders copied with all that is in them': {
    files: { 'src/a': 'a', 'src/sub/b': 'b', 'src/skip.bak': 'n', 'dst/extra': 'e', 'dst/sub/more': 'm' },
    manifest: `
      file { '@/dst':
        ensure => directory, recurse => true, purge => true, force => true, ignore => '*.bak', source => '@/src',
      }
      file { '@/dst/own': content => 'own' }
      notify { 'after': require => File['@/dst'] }`,
  },
  'folders copied without purging, to a depth': {
    files: { 'src/a': 'a', 'src/sub/b': 'b', 'src/sub/deep/c': 'c', 'dst/extra': 'e' },
    manifest: `file { '@/dst': ensure => directory, recurse => remote, recurselimit => 2, source => '@/src', mode => '0644' }`,
  },
  'modes of all that is in a folder': {
    files: { 'd/a': 'a', 'd/sub/b': 'b' },
    manifest: `file { '@/d': ensure => directory, recurse => true, mode => 'g+w,o-r' }`,
  },
  'conditions of commands': {
    files: { there: 'x' },
    manifest: `
      exec { 'a': command => '/bin/echo a', creates => '@/there' }
      exec { 'b': command => '/bin/echo b', unless => '/bin/true' }
      exec { 'c': command => '/bin/echo c', onlyif => ['/bin/true', '/bin/false'] }
      exec { 'd': command => 'echo d; exit 3', provider => shell, returns => [0, 3], logoutput => true }
      exec { 'e': command => ['/bin/echo', 'a; b'], logoutput => true }
      exec { 'f': command => 'echo $FOO > f.txt', cwd => '@', path => ['/bin', '/usr/bin'], environment => 'FOO=bar' }
      exec { 'g': command => '/bin/sleep 5', timeout => 0.2 }
      exec { 'h': command => '/bin/echo out; exit 4', path => '/bin', tries => 2 }
      exec { 'i': command => 'nothing-of-that-name', path => '/bin' }
      exec { 'j': command => Sensitive('/bin/echo secret; exit 1'), path => '/bin', provider => shell }`,
  },
  'only what is tagged': {
    tags: 'wanted',
    manifest: `
      notify { 'a': tag => 'wanted' }
      notify { 'b': }
      class wanted { notify { 'c': } }
      include wanted`,
  },
  'loglevel and noop of single resources': {
    manifest: `
      notify { 'a': loglevel => warning }
      file { '@/a': content => 'x', noop => true }
      file { '@/b': content => 'x', loglevel => err }
      exec { 'e': command => '/bin/true', subscribe => File['@/a'], refreshonly => true }`,
  },
  'content that a command refuses': {
    manifest: `
      file { '@/a': content => 'good', validate_cmd => '/bin/grep -q good %' }
      file { '@/b': content => 'bad', validate_cmd => '/bin/grep -q good %' }`,
  },
  'sources that are there and not': {
    files: { 'src/a': 'from source' },
    manifest: `
      file { '@/a': source => ['@/none', '@/src/a'] }
      file { '@/b': source => '@/none' }
      file { '@/c': source => 'file://@/src/a', checksum => md5 }
      file { '@/l': ensure => '@/src/a' }
      file { '@/m': source => ['puppet:///modules/none/a', 'puppet:///modules/none/b'] }
      file { '@/r': ensure => directory, recurse => true, source => 'puppet:///modules/none/r' }
      notify { 'after': require => File['@/m'] }`,
  },
  'SELinux contexts where there is no SELinux': {
    manifest: `file { '@/a': content => 'x', seluser => 'system_u', seltype => 'etc_t' }`,
  },
  'backups beside': {
    files: { a: 'old' },
    manifest: `file { '@/a': content => 'new', backup => '.bak' }`,
  },
  'content from a bucket': {
    files: { a: 'old', [`bucket/${placeOf(hello)}/contents`]: 'hello\n', [`bucket/${placeOf(hello)}/paths`]: '/x\n' },
    manifest: `
      filebucket { 'b': path => '@/bucket' }
      File { backup => 'b' }
      file { '@/a': content => '{sha256}${hello}' }
      file { '@/md5': content => '{md5}b1946ac92492d2347c6235b4d2611184' }
      file { '@/other': content => '{sha256}${hello}', checksum => md5 }
      file { '@/lost': content => '{sha256}${'0'.repeat(64)}' }
      file { '@/none': content => '{sha256}${hello}', backup => false }
      file { '@/secret': content => Sensitive('{sha256}${hello}') }
      file { '@/words': content => "{sha256} ${hello}" }`,
  },
  'checksums that are times': {
    files: { a: 'old', src: 'from source' },
    manifest: `
      file { '@/a': source => '@/src', checksum => mtime }
      file { '@/c': ensure => file, checksum => mtime }`,
  },
  'other owners': {
    files: { a: 'a', b: 'b' },
    manifest: `
      file { '@/a': owner => 'nobody', group => 'nogroup', mode => '4755' }
      file { '@/b': owner => 65534, group => '0' }
      file { '@/c': ensure => directory, owner => 'daemon', mode => '644' }`,
  },
  'nobody of that name': {
    files: { a: 'a' },
    manifest: `file { '@/a': owner => 'nobody-of-that-name' } file { '@/b': content => 'x', group => 'no-such-group' }`,
  },
})
