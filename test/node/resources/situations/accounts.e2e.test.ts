import { recordedAnswers } from '../../../support/recorded-answers.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const own = (manifest: string): ApplyCase => ({ ownEtc: true, manifest })

situations(puppet, 'accounts', [], {
  'members of a group': own("group { 'games': members => ['daemon', 'bin'] }"),
  'members of a group, inclusive': own("group { 'games': members => ['daemon'], auth_membership => true }"),
  'members of a group, minimum': own("group { 'games': members => ['daemon'], auth_membership => false }"),
  'members that are unknown': own("group { 'games': members => ['nobody-of-that-name'] }"),
  'members of a new group': own("group { 'fresh': ensure => present, members => ['daemon', 'bin'] }"),
  'a gid of text': own("group { 'games': gid => '4712' }"),
  'a gid with leading zeros': own("group { 'games': gid => '04712' }"),
  'a gid that is negative': own("group { 'fresh': ensure => present, gid => -5 }"),
  'a gid that is too large': own("group { 'fresh': ensure => present, gid => 4294967296 }"),
  'a group that exists with another gid': own("group { 'games': ensure => present, gid => 1 }"),
  allowdupe: own("group { 'games': ensure => present, gid => 1, allowdupe => true }"),
  'a system group': own("group { 'fresh': ensure => present, system => true, gid => 333 }"),
  'a name of capitals': own("group { 'Fresh': ensure => present, gid => 4711 }"),
  'a name with a dot and a dollar': own("group { 'a.b$': ensure => present, gid => 4711 }"),
  'a name of digits': own("group { '4711': ensure => present, gid => 4711 }"),
  'a long name': own("group { 'abcdefghijklmnopqrstuvwxyzabcdefgh': ensure => present, gid => 4711 }"),
  forcelocal: own("group { 'fresh': ensure => present, gid => 4711, forcelocal => true }"),
  'absent of the group of a user': own("group { 'games': ensure => absent }"),
  'an attribute that no provider has': own("group { 'fresh': ensure => present, gid => 4711, attributes => ['a=b'] }"),
  'a user and a group of one name': own(
    "user { 'fresh': ensure => present, uid => 4711, gid => 'fresh', home => '/' } group { 'fresh': ensure => present, gid => 4712 }",
  ),
  'groups of a user': own("user { 'games': groups => ['daemon', 'bin'] }"),
  'groups of a user, inclusive': own("user { 'games': groups => ['daemon'], membership => inclusive }"),
  'groups of a user that are unknown': own("user { 'games': groups => ['none-such'] }"),
  'groups of a user by number': own("user { 'games': groups => ['1', 2] }"),
  'the primary group among the groups': own("user { 'games': gid => 'games', groups => ['games', 'bin'] }"),
  'a uid of text and with zeros': own("user { 'games': uid => '04712' }"),
  'a uid that is wrong': own("user { 'games': uid => 'many' }"),
  'a gid of a user by name and number': own(
    "user { 'games': gid => 'daemon' } user { 'news': gid => '2' } user { 'mail': gid => 3 }",
  ),
  'a comment with a colon': own("user { 'games': comment => 'a:b' }"),
  'a comment with other letters': own("user { 'games': comment => 'G\u{fc}nther' }"),
  'an empty comment and an empty home': own("user { 'games': comment => '', home => '' }"),
  'a home that is relative': own("user { 'games': home => 'x' }"),
  'a shell that is missing or no program': own("user { 'games': shell => '/etc/passwd' }"),
  'a password of text': own("user { 'games': password => '$6$a$b' }"),
  'a password with a colon': own("user { 'games': password => 'a:b' }"),
  'a password that is empty': own("user { 'games': password => '' }"),
  'a password of Sensitive and noop': {
    ownEtc: true,
    noop: true,
    manifest: "user { 'games': password => Sensitive('$6$a$b') }",
  },
  'ages that are wrong': own("user { 'games': password_max_age => -1, password_min_age => 0 }"),
  'an expiry in the past and of absent': own(
    "user { 'games': expiry => '1999-12-31' } user { 'news': expiry => absent }",
  ),
  'an expiry that no calendar has': own("user { 'games': expiry => '2030-02-31' }"),
  'roles and keys that no provider has': own("user { 'games': roles => 'x' }"),
  'absent of a user with processes': own("user { 'games': ensure => absent } user { 'never': ensure => absent }"),
  'a user of a group that fails': own(
    "group { 'bad group': ensure => present } -> user { 'fresh': ensure => present, gid => 1, home => '/' }",
  ),
  'purge of users': {
    ownEtc: true,
    noop: true,
    manifest: "resources { 'user': purge => true, unless_uid => [1, '2-100'] }",
    once: 'nothing is changed',
  },
})
