import { type Manifests, wrong, wrongValues } from './table.ts'

/** Types with little of their own, and what only shows beside others. */
export const smallTypes: Manifests = {
  'stages before and after': `
    stage { 'first': before => Stage['main'] } stage { 'last': require => Stage['main'] }
    class a { notify { 'in a': } } class b { notify { 'in b': } } class { 'a': stage => first } class { 'b': stage => last }
    notify { 'in main': }`,
  'a stage that is not there': "class a { notify { 'in a': } } class { 'a': stage => none }",
  'schedules of all kinds': `
    schedule { 'never': period => never } schedule { 'now': range => '0 - 23:59:59', period => daily, repeat => 4 }
    schedule { 'days': weekday => ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] }
    notify { 'a': schedule => 'never' } notify { 'b': schedule => 'now' } notify { 'c': schedule => 'days' }
    notify { 'd': schedule => 'puppet' } notify { 'e': schedule => 'hourly' }`,
  'a schedule that is not there': "notify { 'a': schedule => 'none' } notify { 'b': }",
  'schedules and who waits': `
    schedule { 'never': period => never }
    exec { '/bin/false': schedule => 'never' } notify { 'after': require => Exec['/bin/false'] }
    file { '@/x': ensure => file, schedule => 'never' } ~> exec { '/bin/echo refreshed': refreshonly => true }`,
  ...wrongValues('schedule', 'x', {
    period: ["'often'"],
    periodmatch: ["'x'"],
    range: ["'25 - 26'", "'x'"],
    repeat: ["'x'", '0'],
    weekday: ["'Someday'"],
  }),
  'a bucket of its own': {
    files: { a: 'old\n', b: 'old b\n' },
    manifest: `
      filebucket { 'own': path => '@/bucket', server => false }
      file { '@/a': content => "new\\n", backup => 'own' } file { '@/b': ensure => absent, backup => 'own' }`,
  },
  'a bucket that is not there': {
    files: { a: 'old\n' },
    manifest: "file { '@/a': content => 'new', backup => 'none' } notify { 'b': }",
  },
  ...wrongValues('filebucket', 'x', { path: ["'relative'"], nothing: ['1'] }),
  'messages of all levels': `
    notify { 'a': message => 'said', loglevel => warning } notify { 'b': withpath => true } notify { 'c': message => "two\\nlines" }
    notify { 'd': message => 5 } notify { 'e': loglevel => debug } notify { 'f': loglevel => err, message => '' }`,
  ...wrongValues('notify', 'x', { withpath: ["'x'"], loglevel: ["'loud'"], nothing: ['1'] }),
  'old files by size, age and name': {
    files: { 'd/big': 'x'.repeat(3000), 'd/small': 'x', 'd/s/big': 'y'.repeat(3000), 'd/keep.log': 'z'.repeat(3000) },
    manifest: `
      tidy { '@/d': size => '2k', matches => 'big', recurse => 1, backup => false }
      tidy { '@/d/s': age => '0s', recurse => true, rmdirs => true, backup => false } tidy { '@/none': recurse => true }`,
  },
  'old files, in noop': {
    files: { 'd/a': 'a', 'd/s/b': 'b' },
    noop: true,
    manifest: "tidy { '@/d': recurse => true, age => '0s', backup => false }",
  },
  'hosts that are known': {
    files: { 'etc/ssh/ssh_known_hosts': 'kept ssh-rsa AAAA\nold ssh-rsa BBBB\nother ssh-rsa CCCC\n' },
    manifest: `
      sshkey { 'kept': type => 'ssh-rsa', key => 'AAAA' } sshkey { 'old': ensure => absent, type => 'ssh-rsa' }
      sshkey { 'other': type => 'ssh-rsa', key => 'DDDD', host_aliases => ['o', '10.0.0.1'] }
      sshkey { 'new': type => 'ssh-ed25519', key => 'EEEE' }`,
  },
  'fragments in order': `
    concat_file { 'f': path => '@/f', order => numeric, ensure_newline => true }
    concat_fragment { 'c': target => 'f', content => 'ten', order => '10' } concat_fragment { 'b': target => 'f', content => 'nine', order => '9' }
    concat_fragment { 'a': target => '@/f', content => 'eleven', order => '11' }`,
  'fragments by tag, with none of them for one file': `
    concat_file { '@/f': tag => 'mine' } concat_fragment { 'a': tag => 'mine', target => 'elsewhere', content => 'a' }
    concat_file { '@/none': tag => 'nobody' } concat_file { '@/gone': ensure => absent }`,
  ...wrong({
    'an anchor with what it has not': "anchor { 'x': nothing => 1 }",
  }),
}
