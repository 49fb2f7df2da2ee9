import { type Manifests, wrong, wrongValues } from './table.ts'

/** Notices, and what every resource takes. */
export const metaparameters: Manifests = {
  'messages of each kind': `
    notify { 'title': } notify { 'b': message => 'said' } notify { 'c': message => 5 } notify { 'd': message => ['x', 'y'] }
    notify { 'e': message => "two\\nlines" } notify { 'f': message => '' } notify { 'g': message => 'at', withpath => true }
    notify { 'h': message => Sensitive('secret') } notify { 'j': message => true }`,
  levels: `
    notify { 'debug': loglevel => debug } notify { 'info': loglevel => info } notify { 'verbose': loglevel => verbose }
    notify { 'notice': loglevel => notice } notify { 'warning': loglevel => warning } notify { 'err': loglevel => err }
    notify { 'alert': loglevel => alert } notify { 'crit': loglevel => crit } notify { 'emerg': loglevel => emerg }`,
  'levels of changes': {
    files: { a: 'x' },
    manifest: `
      file { '@/a': content => "y\\n", loglevel => warning } file { '@/b': ensure => file, loglevel => debug }
      file { '@/c': ensure => directory, loglevel => err } exec { '/bin/true': loglevel => info }`,
  },
  'noop, of one and of those that hear of it': `
    file { '@/a': content => 'x', noop => true } ~> exec { '/bin/true': refreshonly => true } -> notify { 'later': }
    class c { notify { 'in': } } class { 'c': noop => true } notify { 'after': require => Class['c'] }`,
  'noop => false, in a run of noop': {
    noop: true,
    manifest:
      "file { '@/a': content => 'x', noop => false } ~> exec { '/bin/true': refreshonly => true } notify { 'n': noop => false }",
  },
  'audit of what changes': {
    files: { a: 'x' },
    manifest: [
      "file { '@/a': audit => content }",
      "exec { '/bin/sh -c \"echo y > @/a\"': } -> file { '@/a': audit => content }",
    ],
  },
  schedules: `
    schedule { 'never': period => never } schedule { 'always': range => '0 - 23:59:59' } schedule { 'daily-once': period => daily, repeat => 1 }
    schedule { 'off': weekday => ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], range => '00:00 - 23:59:59' }
    notify { 'a': schedule => 'never' } notify { 'b': schedule => 'always' } notify { 'c': schedule => 'daily-once' }
    notify { 'd': schedule => 'off' } notify { 'e': schedule => 'never', before => Notify['f'] } notify { 'f': }
    notify { 'g': schedule => 'hourly' } notify { 'h': schedule => 'puppet' }`,
  aliases: `
    notify { 'one': alias => 'uno' } notify { 'two': require => Notify['uno'], alias => ['due', 'zwei'] }
    file { 'f': path => '@/f', ensure => file, alias => 'other' } notify { 'three': require => [File['@/f'], Notify['zwei']] }`,
  tags: {
    tags: 'wanted',
    manifest: `
      notify { 'a': tag => ['x', 'wanted'] } notify { 'b': } define d { notify { "in \${title}": } } d { 'x': tag => 'wanted' } d { 'y': }
      class wanted { notify { 'in class': } } include wanted file { '@/f': ensure => file, require => Notify['a'] }`,
  },
  'tags of a type': { tags: 'file', manifest: "file { '@/a': ensure => file } notify { 'b': }" },
  'a failure, and all that wait for it': `
    exec { '/bin/false': } -> notify { 'a': } -> notify { 'b': } ~> exec { '/bin/true': refreshonly => true }
    class c { notify { 'in': } } class { 'c': require => Notify['a'] } define d { notify { "d\${title}": } } d { 'x': require => Exec['/bin/false'] }
    notify { 'free': } notify { 'sub': subscribe => Exec['/bin/false'] }`,
  'a refresh of containers': `
    class a { notify { 'a': } } class b { exec { '/bin/true': refreshonly => true } exec { '/bin/echo': refreshonly => true } }
    include a, b Class['a'] ~> Class['b'] ~> Notify['end'] notify { 'end': }`,
  stages: `
    stage { 'before': before => Stage['main'] } stage { 'after': } Stage['main'] -> Stage['after']
    class one { notify { 'one': } } class two { notify { 'two': } } class three { notify { 'three': } }
    class { 'one': stage => 'after' } class { 'two': stage => 'before' } include three`,
  'collectors that change and order': `
    @notify { 'virtual': } Notify <| title == 'virtual' |> { message => 'changed' } -> Notify['next']
    notify { 'next': } @file { '@/f': ensure => file, tag => 'x' } File <| tag == 'x' |>`,
  'defaults and overrides': `
    Notify { loglevel => warning, withpath => true } notify { 'a': } notify { 'b': loglevel => info }
    class p { notify { 'c': message => 'p' } } class k inherits p { Notify['c'] { message => 'k' } } include k`,
  'a title that is long, and one with signs': `
    notify { 'é ü "quoted" [x] {y} \\\\ $z': } notify { "tab\\tnew\\nline": } notify { '${'x'.repeat(300)}': }`,
  'catalogs without resources': '$x = 1',
  'circles of three': {
    manifest:
      "notify { 'a': require => Notify['c'] } notify { 'b': require => Notify['a'] } notify { 'c': require => Notify['b'] }",
    once: 'refused',
  },
  'circles of two, twice': {
    manifest:
      "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] } notify { 'c': before => Notify['d'] } notify { 'd': before => Notify['c'] }",
    once: 'refused',
  },
  'whoever depends on itself': { manifest: "notify { 'a': require => Notify['a'] }", once: 'refused' },
  ...wrong({
    'a relationship to what is not there': "notify { 'a': require => Notify['none'] }",
    'a subscription to what is not there': "file { '/tmp/x': subscribe => Exec['none'] }",
    'an alias that another has': "notify { 'a': alias => 'b' } notify { 'b': }",
    'a type that there is not': "nothing_of_that_name { 'x': }",
    'an attribute that there is not': "notify { 'x': nothing => 1 }",
    'one title twice': "notify { 'x': } notify { 'x': }",
    'a schedule that there is not': "notify { 'x': schedule => 'none' }",
    'a stage of what is no class': "notify { 'x': stage => 'main' }",
    'no message': "notify { 'x': withpath => 'perhaps' }",
  }),
  ...wrongValues('schedule', 'x', {
    period: ["'yearly'"],
    periodmatch: ["'time'"],
    range: ["'late'", "'25 - 26'", "'5'"],
    repeat: ["'often'", '0', '-1'],
    weekday: ["'Someday'", '9'],
  }),
  ...wrongValues('filebucket', 'x', { path: ["'relative'"], port: ["'x'"] }),
}
