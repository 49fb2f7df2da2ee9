import { join } from 'node:path'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const module = (name: string) => join(import.meta.dirname, 'modules', name)

const shelf = {
  'shelf.json': '{"old": "1.0", "gone": "1.0", "purged": "1.0", "same": "2.0", "fixed": "1.0"}',
  'newest.json': '{"new": "3.0", "old": "2.0", "same": "2.0", "other": "4.0"}',
}

applyBoth(puppet, "providers in Ruby of types that are built in, as real Puppet's", [module('shelves')], {
  packages: {
    manifest: `
      Package { provider => shelf }
      file { '@/before': content => 'x' } -> package { 'new': install_options => ['--fast', { '--from' => 'here' }] }
      package { 'old': ensure => latest } ~> notify { 'after': }
      package { 'the same': name => 'same', ensure => latest }
      package { 'fixed': ensure => '1.5' }
      package { 'other': ensure => latest }
      package { ['gone', 'never']: ensure => absent }
      package { 'purged': ensure => purged }
      package { 'unknown': ensure => installed } -> notify { 'not this': }`,
    files: shelf,
  },
  'packages, in noop': {
    manifest: `package { 'old': ensure => latest, provider => shelf } package { 'gone': ensure => purged, provider => shelf }`,
    files: shelf,
    noop: true,
  },
  services: {
    manifest: `
      file { '@/conf': content => 'x' } ~> service { 'red': ensure => running, enable => true, provider => lamp }
      service { 'green': ensure => stopped, enable => false, provider => 'lamp', subscribe => File['@/conf'] }
      service { 'blue': enable => true, provider => lamp }
      service { 'white':
        ensure => running, provider => candle, start => 'touch @/white', stop => 'rm @/white', status => 'test -e @/white' }
      service { 'black': ensure => stopped, provider => candle, status => 'test -e @/black', stop => '/bin/false' }`,
    files: { 'green.on': '', 'green.wired': '', black: '' },
  },
  'users and groups': {
    manifest: `
      user { 'somebody-new': comment => 'A person', home => '/home/new', shell => '/bin/sh', uid => '4321', provider => register }
      user { 'nobody': ensure => absent, provider => register }
      user { 'daemon': comment => 'other', provider => register }
      group { 'one': gid => '7', members => ['b', 'a'], provider => plate }
      group { 'two': gid => 8, provider => plate }
      group { 'three': ensure => absent, provider => plate }`,
    files: { groups: 'two:5:x\nthree:6:\n' },
    programs: { enlist: 'echo enlisted', dismiss: 'true', reassign: 'echo "no such place"; exit 3' },
  },
})

applyBoth(puppet, 'a provider in Ruby that is the default of a machine', [module('crates')], {
  'manages what names none': {
    manifest: `
      package { ['new', 'old']: ensure => latest }
      package { 'named': ensure => absent, provider => dpkg, noop => true }`,
    files: { 'crate.json': shelf['shelf.json'], 'newest.json': shelf['newest.json'] },
  },
})
