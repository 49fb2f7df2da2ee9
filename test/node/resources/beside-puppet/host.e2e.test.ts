import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const hosts = `127.0.0.1 localhost
# a comment

  indented line
10.0.0.9\tx.example   a  b   # comment
::1   localhost6 ip6#inside
10.0.0.7 y.example
1.1.1.1 z
10.0.0.5 trailing a b  
`

applyBoth(puppet, 'hosts are applied as real Puppet applies them', ['host_core'], {
  'entries made, changed and removed': {
    files: { hosts },
    manifest: `
      Host { target => '@/hosts' }
      host { 'n1.example': ip => '10.0.0.1', host_aliases => ['n1', 'm1'], comment => 'hi' }
      host { 'x.example': ip => '10.0.0.8', host_aliases => ['b', 'a'] }
      host { 'y.example': host_aliases => 'why', comment => 'new' }
      host { 'trailing': host_aliases => [] }
      host { 'localhost': ensure => absent }
      host { '1.1.1.1': ensure => absent }
      host { 'nobody': ensure => absent }`,
  },
  'the usual file': {
    files: { 'etc/hosts': '127.0.0.1\tlocalhost\n10.0.0.9 old\n' },
    manifest: `
      host { 'localhost': ip => '127.0.0.2' }
      host { 'old': ensure => absent }
      host { 'a.example': ip => '10.0.0.1' }`,
  },
  'a file that is not there yet': {
    manifest: `host { 'a.example': ip => 'fe80::1', target => '@/new' }`,
  },
  'an empty list of aliases on a new entry': {
    manifest: `host { 'a.example': ip => '10.0.0.1', host_aliases => [], comment => '', target => '@/new' }`,
  },
  'an entry that lacks its address': {
    files: { hosts },
    manifest: `
      host { 'bad.example': target => '@/hosts' }
      host { 'good.example': ip => '10.0.0.2', target => '@/hosts' }
      host { 'other.example': ip => '10.0.0.2', target => '@/elsewhere' }`,
  },
  'a name that nothing is said of': { files: { hosts }, manifest: `host { 'x.example': }` },
  'only what would be done': {
    files: { hosts },
    noop: true,
    manifest: `
      host { 'n1.example': ip => '10.0.0.1', target => '@/hosts' }
      host { 'x.example': host_aliases => ['b'], ip => '10.0.0.8', target => '@/hosts' }`,
  },
  'a folder that is not there': {
    manifest: `
      host { 'a.example': ip => '10.0.0.1', target => '@/none/hosts' }
      notify { 'after': require => Host['a.example'] }`,
  },
  'several entries of one name': {
    files: { hosts: '10.0.0.1 same\n10.0.0.2 same\n' },
    manifest: `host { 'same': ip => '10.0.0.3', target => '@/hosts' }`,
  },
  'an entry that moves to another file': {
    files: { hosts: '10.0.0.1 mover\n10.0.0.2 stayer\n', other: '10.0.0.3 third\n' },
    manifest: `
      host { 'stayer': ip => '10.0.0.2', target => '@/hosts' }
      host { 'mover': ip => '10.0.0.1', target => '@/other' }`,
  },
  'a change and its undoing': {
    manifest: [
      `host { 'a.example': ip => '10.0.0.1', host_aliases => ['a', 'b'], target => '@/hosts' }`,
      `host { 'a.example': ip => '10.0.0.2', host_aliases => ['a'], target => '@/hosts' }`,
      `host { 'a.example': ensure => absent, target => '@/hosts' }`,
    ],
  },
  'a file that is a link': {
    files: { hosts },
    manifest: `
      file { '@/link': ensure => link, target => '@/hosts' }
      -> host { 'a.example': ip => '10.0.0.1', target => '@/link' }`,
  },
  'refreshes of what depends on it': {
    manifest: `
      host { 'a.example': ip => '10.0.0.1', target => '@/hosts' }
      ~> exec { '/bin/true': refreshonly => true }`,
  },
  'a file of other bytes than UTF-8': {
    manifest: `
      exec { 'printf "10.0.0.1 caf\\351\\n" > @/hosts': provider => shell }
      -> host { 'a.example': ip => '10.0.0.1', target => '@/hosts' }
      -> notify { 'after': }`,
  },
  'a name with blanks': { manifest: [`host { 'a b': ip => '10.0.0.1', target => '@/hosts' }`] },
  'an address that is none': { manifest: [`host { 'a': ip => '10.0.0.256', target => '@/hosts' }`] },
  'addresses of several forms': {
    manifest: `
      Host { target => '@/hosts' }
      host { 'a': ip => '010.000.000.001' }
      host { 'b1': ip => '::ffff:10.0.0.1' }
      host { 'c1': ip => 'fe80::1%eth0' }
      host { 'd1': ip => '2001:DB8::1' }`,
  },
  'an alias with a blank': {
    manifest: [`host { 'a': ip => '10.0.0.1', host_aliases => 'b c', target => '@/hosts' }`],
  },
  'an alias that is empty': { manifest: [`host { 'a': ip => '10.0.0.1', host_aliases => '', target => '@/hosts' }`] },
  'a comment of two lines': { manifest: [`host { 'a': ip => '10.0.0.1', comment => "b\\nc", target => '@/hosts' }`] },
  'a wrong ensure': { manifest: [`host { 'a': ensure => 'there', target => '@/hosts' }`] },
})
