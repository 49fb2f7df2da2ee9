import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const before = { a: 'old\n' }

situations(puppet, 'validate-cmd', [], {
  'a command that fails in silence': {
    files: before,
    manifest: `file { '@/a': content => 'new', validate_cmd => '/bin/false' }`,
  },
  'a command that fails with much output': {
    files: before,
    manifest: `file { '@/a': content => 'new', validate_cmd => '/bin/sh -c "echo one; echo two >&2; echo; exit 7" %' }`,
  },
  'a command that does not exist': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => '/none/check %' }",
  },
  'a command that is not qualified': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => 'true %' }",
  },
  'a command of an unknown name': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => 'no-such-check %' }",
  },
  'a command with pipes and redirections': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => '/bin/cat % | /bin/grep -q new > @/out' }",
  },
  'a command with && and ;': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', validate_cmd => '/bin/true && /bin/false' } file { '@/b': content => 'x', validate_cmd => '/bin/false; /bin/true' }",
  },
  'several percent signs': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => '/bin/sh -c \"test % = % && cat % % > @/twice\"' }",
  },
  'no percent sign': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => '/bin/cp @/a @/seen' }",
  },
  'a percent sign in another word': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', validate_cmd => '/bin/sh -c \"echo 50 % x > @/said; date +%Y >/dev/null\"' }",
  },
  'a replacement of several letters': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', validate_cmd => '/bin/grep -q new FILE', validate_replacement => 'FILE' }",
  },
  'a replacement with signs of patterns': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', validate_cmd => '/bin/grep -q new a.b', validate_replacement => 'a.b' } file { '@/b': content => 'new', validate_cmd => '/bin/grep -q new (f)', validate_replacement => '(f)' }",
  },
  'a replacement that the command has not': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', validate_cmd => '/bin/grep -q old @/a', validate_replacement => '$file' }",
  },
  'a replacement alone': { files: before, manifest: "file { '@/a': content => 'new', validate_replacement => 'x' }" },
  'an empty command': { files: before, manifest: "file { '@/a': content => 'new', validate_cmd => '' }" },
  'a command of one blank': { files: before, manifest: "file { '@/a': content => 'new', validate_cmd => ' ' }" },
  'content that is in sync is not checked': {
    files: { a: 'same' },
    manifest: "file { '@/a': content => 'same', mode => '0600', validate_cmd => '/bin/false' }",
  },
  'a mode alone is not checked': {
    files: before,
    manifest: "file { '@/a': mode => '0600', validate_cmd => '/bin/false' }",
  },
  'ensure => file of a new file': "file { '@/a': ensure => file, validate_cmd => '/bin/false' }",
  'empty content of a new file': "file { '@/a': content => '', validate_cmd => '/bin/false' }",
  'a folder and a link':
    "file { '@/d': ensure => directory, validate_cmd => '/bin/false' } file { '@/l': ensure => link, target => '/x', validate_cmd => '/bin/false' }",
  absent: { files: before, manifest: "file { '@/a': ensure => absent, validate_cmd => '/bin/false' }" },
  'a source': {
    files: { from: 'bad', ...before },
    manifest: "file { '@/a': source => '@/from', validate_cmd => '/bin/grep good %' }",
  },
  'a source with recurse': {
    files: { 'from/a': 'good', 'from/b': 'bad' },
    manifest:
      "file { '@/to': ensure => directory, recurse => true, source => '@/from', validate_cmd => '/bin/grep good %' }",
  },
  'the mode of the checked file': {
    files: before,
    modes: { a: 0o640 },
    manifest:
      "file { ['@/a', '@/b']: content => 'new', mode => '0604', validate_cmd => '/bin/sh -c \"stat -c %%a FILE >> @/modes\"', validate_replacement => 'FILE' }",
  },
  'replace => false': {
    files: before,
    manifest: "file { ['@/a', '@/b']: content => 'new', replace => false, validate_cmd => '/bin/false' }",
  },
  'dependents of a refused file': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', validate_cmd => '/bin/false' } ~> notify { 'after': } exec { '/bin/true': refreshonly => true, subscribe => File['@/a'] }",
  },
  'backup with a refused file': {
    files: before,
    manifest:
      "file { '@/a': content => 'new', backup => '.bak', validate_cmd => '/bin/false' } file { '@/b': content => 'x', backup => '.bak', validate_cmd => '/bin/true' }",
  },
  'noop with a command that fails': {
    files: before,
    noop: true,
    manifest: "file { ['@/a', '@/b']: content => 'new', validate_cmd => '/bin/false' }",
  },
  'a command that changes the file': {
    files: before,
    manifest: "file { '@/a': content => 'new', validate_cmd => '/bin/sh -c \"echo more >> %\"' }",
  },
  'a link that is followed': {
    files: { x: 'old', l: '-> @/x' },
    manifest: "file { '@/l': content => 'new', links => follow, validate_cmd => '/bin/false' }",
  },
  'output with quotes, tabs and other letters': {
    files: before,
    manifest:
      'file { \'@/a\': content => \'new\', validate_cmd => "/bin/sh -c \'printf \\"a\\\\tb\\\\n\\"; echo \\"ü\\"; exit 1\'" }',
  },
})
