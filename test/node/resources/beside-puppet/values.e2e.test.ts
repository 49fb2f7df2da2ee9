import { join } from 'node:path'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'
import { refused } from './apply-case.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const things = join(import.meta.dirname, 'modules', 'things')

applyBoth(puppet, 'values are as in real Puppet', [things], {
  'Deferred ones that read what an earlier resource makes': {
    manifest: `
      file { '@/made': content => 'by one' }
      -> file { '@/copied': content => Deferred('file', ['@/made']) }
      -> file { '@/longer': content => Deferred('sprintf', ['%s, then %s', Deferred('file', ['@/copied']), 'me']) }
      -> notify { 'told': message => Deferred('file', ['@/longer']) }
      -> file { '@/mode': content => '', mode => Deferred('sprintf', ['%s', '0600']) }
      -> note { '@/one': text => Deferred('file', ['@/made']), ending => period }
      -> note { '@/two': text => 'x', weight => Deferred('sprintf', ['%d', 5]) }
      -> record { 'r': file => '@/r.json', value => Deferred('file', ['@/made']), size => 3 }`,
    files: { 'r.json': '{}' },
  },
  'Deferred ones in a run that only says what it would do': {
    manifest: `
      file { '@/a': content => Deferred('sprintf', ['%s', 'a']), mode => '0600' }
      file { '@/b': ensure => Deferred('sprintf', ['%s', 'absent']) }`,
    files: { a: 'before', b: 'there' },
    noop: true,
  },
  'a log level of which JavaScript has a notion': refused("notify { 'a': loglevel => constructor }"),
  'an audit of what JavaScript has everywhere': refused("file { '@/a': audit => [ensure, toString] }"),
  'a version of which JavaScript has a notion': {
    manifest: "package { 'x': ensure => constructor, provider => pip3 }",
    programs: {
      pip3: 'echo "pip 23.0.1 from /x (python 3.11)"; [ "$1" = install ] && { echo "no such version" >&2; exit 1; }; exit 0',
    },
    noop: true,
  },
  'messages that are no texts': {
    manifest: `
      notify { 'a': message => { 'a' => [1, 'x'], 'b' => { 'c' => undef, 'd' => true } } }
      notify { 'b': message => ['x', 'y'] }
      notify { 'c': message => [{ 'a' => 1 }, 'y'], withpath => true }
      notify { 'd': message => 1.5 }
      notify { 'e': message => [['a', 'b'], ['c']] }
      notify { 'f': message => [] }
      notify { 'g': message => 12 }
      notify { 'h': message => "it's \\"so\\"" }`,
  },
})
