import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

situations(puppet, 'ownership', [], {
  'owners by name, number, text of a number': {
    files: { a: 'x', b: 'x', c: 'x', d: 'x' },
    manifest: `
      file { '@/a': owner => 'daemon' } file { '@/b': owner => 2 } file { '@/c': owner => '2' } file { '@/d': owner => '002' }
      file { '@/e': ensure => file, owner => '010' } file { '@/f': ensure => file, group => '0x2' }`,
  },
  'groups by name, number, text of a number': {
    files: { a: 'x', b: 'x', c: 'x' },
    manifest: "file { '@/a': group => 'daemon' } file { '@/b': group => 2 } file { '@/c': group => '02' }",
  },
  'ids that no account has': {
    files: { a: 'x', b: 'x' },
    manifest: "file { '@/a': owner => 54321, group => 54322 } file { '@/b': owner => '54321', group => '54322' }",
  },
  'an owner that is unknown': { files: { a: 'x' }, manifest: "file { '@/a': owner => 'nobody-of-that-name' }" },
  'a group that is unknown': { files: { a: 'x' }, manifest: "file { '@/a': group => 'none-such' }" },
  'an unknown owner of a new file': "file { '@/a': ensure => file, content => 'x', owner => 'nobody-of-that-name' }",
  'an unknown group of a new folder': "file { '@/a': ensure => directory, group => 'none-such' }",
  'an unknown owner in noop': {
    files: { a: 'x' },
    noop: true,
    manifest: "file { '@/a': owner => 'nobody-of-that-name' }",
  },
  'several owners': {
    files: { a: 'x', b: 'x', c: 'x' },
    manifest: `
      file { '@/a': owner => ['daemon', 'root'] } file { '@/b': owner => ['root', 'daemon'] }
      file { '@/c': owner => ['none-one', 'none-two'] }`,
  },
  'several groups': {
    files: { a: 'x', b: 'x' },
    manifest: "file { '@/a': group => ['none-such', 'daemon'] } file { '@/b': group => [0, 2] }",
  },
  'an empty owner': { files: { a: 'x' }, manifest: "file { '@/a': owner => '' }" },
  'an empty group': { files: { a: 'x' }, manifest: "file { '@/a': group => '' }" },
  'a negative owner': { files: { a: 'x' }, manifest: "file { '@/a': owner => -1 }" },
  'an owner of Float': { files: { a: 'x' }, manifest: "file { '@/a': owner => 1.5 }" },
  'an owner with blanks': { files: { a: 'x' }, manifest: "file { '@/a': owner => ' daemon ' }" },
  'an owner in capitals': { files: { a: 'x' }, manifest: "file { '@/a': owner => 'Daemon' }" },
  'an owner of a link': {
    files: { x: 'x', l: '-> @/x', y: 'y', m: '-> @/y' },
    manifest: "file { '@/l': owner => 'daemon' } file { '@/m': owner => 'daemon', links => follow }",
  },
  'an owner of a new link': "file { '@/l': ensure => link, target => '@/none', owner => 'daemon', group => 'daemon' }",
  'an owner over a recursed folder': {
    files: { 'd/a': 'x', 'd/s/b': 'x', 'd/l': '-> a' },
    manifest: "file { '@/d': ensure => directory, recurse => true, owner => 'daemon', group => 2 }",
  },
  'an owner in noop': {
    files: { a: 'x' },
    noop: true,
    manifest: "file { '@/a': owner => 'daemon', group => 2, mode => '0600' }",
  },
  'an owner of something absent': "file { '@/a': owner => 'daemon' }",
  'an owner with content': {
    files: { a: 'old', b: 'old' },
    manifest:
      "file { '@/a': content => 'new', owner => 'daemon', group => 'daemon' } file { ['@/b', '@/c']: content => 'new' }",
  },
  'replace => false with a source': {
    files: { from: 'new', a: 'old' },
    manifest: "file { ['@/a', '@/b']: source => '@/from', replace => false, owner => 'daemon' }",
  },
  'replace => false with links and folders': {
    files: { a: 'x', l: '-> /old', 'd/x': 'x' },
    manifest: `
      file { '@/a': ensure => link, target => '/new', replace => false }
      file { '@/l': ensure => link, target => '/new', replace => false }
      file { '@/d': ensure => file, content => 'new', replace => false }`,
  },
  'replace => false with ensure => directory and absent': {
    files: { a: 'x', b: 'x' },
    manifest:
      "file { '@/a': ensure => directory, replace => false } file { '@/b': ensure => absent, replace => false }",
  },
  'replace => false of a dead link': {
    files: { l: '-> @/none' },
    manifest: "file { '@/l': content => 'new', replace => false }",
  },
  'replace => false of a link that is followed': {
    files: { x: 'old', l: '-> @/x' },
    manifest: "file { '@/l': content => 'new', replace => false, links => follow }",
  },
  'replace => false with recurse': {
    files: { 'from/a': 'new', 'from/b': 'new', 'to/a': 'old' },
    manifest:
      "file { '@/to': ensure => directory, recurse => true, source => '@/from', replace => false, mode => '0600' }",
  },
  'replace => false in noop': {
    files: { a: 'old' },
    noop: true,
    manifest: "file { ['@/a', '@/b']: content => 'new', replace => false }",
  },
  'replace in each word': {
    files: { a: 'old', b: 'old', c: 'old', d: 'old' },
    manifest: `
      file { '@/a': content => 'new', replace => yes } file { '@/b': content => 'new', replace => 'no' }
      file { '@/c': content => 'new', replace => 'true' } file { '@/d': content => 'new', replace => 'false' }`,
  },
  'replace of a word that is unknown': "file { '@/a': content => 'new', replace => 'never' }",
  'replace => false and force': {
    files: { 'd/x': 'x' },
    manifest: "file { '@/d': ensure => file, content => 'new', replace => false, force => true }",
  },
})
