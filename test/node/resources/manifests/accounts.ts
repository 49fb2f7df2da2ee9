import { type Manifests, wrongValues } from './table.ts'

const ownEtc = true

/** Users and groups of a machine of their own. */
export const accounts: Manifests = {
  'groups made, changed and removed': {
    ownEtc,
    manifest: `
      group { 'fresh': ensure => present, gid => 4711 } group { 'low': ensure => present, system => true }
      group { 'games': gid => 4712 } group { 'irc': ensure => absent } group { 'never': ensure => absent } group { 'daemon': }
      group { 'same': ensure => present, gid => 4711, allowdupe => true }`,
  },
  'groups that cannot be made': {
    ownEtc,
    manifest: `
      group { 'taken': ensure => present, gid => 1 } group { 'with blank': ensure => present }
      group { 'root': ensure => absent } notify { 'after': require => Group['taken'] }`,
  },
  'users made, changed and removed': {
    ownEtc,
    manifest: `
      group { 'staffers': gid => 4711 }
      user { 'fresh': ensure => present, uid => 4711, gid => 'staffers', home => '@/home', shell => '/bin/sh', comment => 'A. Fresh' }
      user { 'games': uid => 4712, shell => '/bin/false', comment => 'Played' }
      user { 'irc': ensure => absent } user { 'never': ensure => absent } user { 'daemon': }
      user { 'hashed': ensure => present, password => '$6$salt$hash', uid => 4714, gid => 1 }
      user { 'low': ensure => present, system => true, home => '/nonexistent' }`,
  },
  'homes of users': {
    ownEtc,
    manifest: `
      user { 'homely': ensure => present, uid => 4711, gid => 1, home => '@/homely', managehome => true }
      user { 'gone': ensure => absent, managehome => true }`,
    once: 'what skel has is of the machine',
  },
  'ages of passwords': {
    ownEtc,
    manifest: `
      user { 'games': password_max_age => 90, password_min_age => 1, password_warn_days => 7 }
      user { 'irc': expiry => '2030-01-31' } user { 'news': expiry => absent } user { 'mail': password => Sensitive('$6$a$b') }`,
  },
  'users that cannot be made': {
    ownEtc,
    manifest: `
      user { 'taken': ensure => present, uid => 1, gid => 1 } user { 'grouped': ensure => present, gid => 'none-such' }
      user { 'shelled': ensure => present, gid => 1, shell => '/none/sh' } notify { 'after': require => User['taken'] }
      user { 'same': ensure => present, uid => 1, gid => 1, allowdupe => true }`,
  },
  'users and groups, in noop': {
    noop: true,
    manifest: `
      group { 'fresh': ensure => present, gid => 4711 } group { 'daemon': gid => 4712 } group { 'games': ensure => absent }
      user { 'fresh': ensure => present, uid => 4711 } user { 'irc': ensure => absent }
      user { 'daemon': uid => 4712, shell => '/bin/false', comment => 'Devils', home => '/x', gid => 0, password => 'hash' }`,
  },
  'who waits for accounts, without saying so': {
    ownEtc,
    manifest: `
      user { 'fresh': gid => 'staffers', groups => ['more'], uid => 4711, home => '/' } group { 'staffers': gid => 4711 } group { 'more': gid => 4712 }
      file { '@/f': ensure => file }`,
  },
  ...wrongValues('user', 'x', {
    gid: ["''"],
    groups: ["'a,b'", "''"],
    shell: ["'relative'"],
    expiry: ["'soon'", "'2030-1-1'"],
    password_max_age: ["'x'"],
    password_min_age: ["'x'"],
    managehome: ["'maybe'"],
    membership: ["'some'"],
    ensure: ["'there'"],
    purge_ssh_keys: ["'relative'"],
    system: ["'x'"],
    nothing: ['1'],
  }),
  ...wrongValues('group', 'x', {
    gid: ["'x'", "''"],
    ensure: ["'there'"],
    members: ["'a,b'"],
    allowdupe: ["'x'"],
    system: ["'x'"],
    auth_membership: ["'x'"],
  }),
}
