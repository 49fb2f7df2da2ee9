import type { Files } from '../../../support/control-repository.ts'

/** The branch `production` of the repository that the rows are asked about. */
export const production: Files = {
  'manifests/site.pp': `node 'rich.test' {
  notify { 'r': message => {
    'regexp'       => /a.*b/,
    'timestamp'    => Timestamp('2020-01-02T03:04:05.006'),
    'timespan'     => Timespan('1-02:03:04'),
    'semver'       => SemVer('1.2.3'),
    'semverrange'  => SemVerRange('>=1.0.0 <2.0.0'),
    'binary'       => Binary('aGk='),
    'uri'          => URI('http://x/y'),
    'default'      => default,
    'integer type' => Integer[1, 2],
    'variant type' => Variant[String, Enum['a', 'b']],
    'sensitive'    => Sensitive('n'),
    'deferred'     => Deferred('demo::late', ['abc']),
    'late fact'    => Deferred('$facts', ['os']),
    'hash'         => { 1 => 'x' },
    'references'   => [File['/x'], Class['demo']],
    'undef'        => undef,
    'error'        => Error('boom', 'k'),
  } }
  file { '/x': }
  include demo
}
node 'static.test' {
  file { '/one': source => 'puppet:///modules/demo/a.txt' }
  file { 'first of two': path => '/two', source => ['puppet:///modules/demo/none', 'puppet:///modules/demo/a.txt'] }
  file { '/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree/' }
  file { '/remote': ensure => directory, recurse => 'remote', source => 'puppet:///modules/demo/tree', ignore => 'sub' }
  file { '/nothing': ensure => directory, recurse => true, source => 'puppet:///modules/demo/none' }
  file { '/absent': ensure => 'absent', source => 'puppet:///modules/demo/a.txt' }
  file { '/web': source => 'http://example.test/x' }
  file { '/mixed': source => ['puppet:///modules/demo/a.txt', '/etc/hostname'] }
  file { '/task': source => 'puppet:///tasks/demo/hi.sh' }
  file { '/md5': source => 'puppet:///modules/demo/a.txt', checksum => 'md5' }
}
node 'shape.test' {
  file { '/secret': content => Sensitive('clear'), tag => 'mine' }
  notify { 'nested': message => [{ 'a' => undef }, ['one']], require => File['/secret'], loglevel => undef }
  demo::rich { 'd': }
  @notify { 'virtual': }
  @@notify { 'exported': }
}
node 'unknown.test' { include nope }
node 'a.test' { include demo }
node default { notify { "\${facts['kernel']}": } }
`,
  'modules/demo/manifests/init.pp': `class demo(String $p = 'dflt') { notify { "hello \${p}": } }\n`,
  'modules/demo/manifests/rich.pp': 'define demo::rich() { }\n',
  'modules/demo/manifests/broken.pp': 'class demo::broken {\n',
  'modules/demo/metadata.json': JSON.stringify({ name: 't-demo', version: '1.2.3' }),
  'modules/demo/files/a.txt': 'some content\n',
  'modules/demo/files/tree/one.txt': 'one\n',
  'modules/demo/files/tree/link.txt': { link: 'one.txt' },
  'modules/demo/files/tree/sub/two.txt': 'two\n',
  'modules/demo/lib/facter/own.rb': '# a fact\n',
  'modules/demo/facts.d/run.sh': { script: '#!/bin/sh\n' },
  'modules/demo/facts.d/plain.txt': 'a=b\n',
  'modules/demo/locales/de/x.po': 'msgid ""\n',
  'modules/demo/scripts/s.sh': 'script\n',
  'modules/demo/tasks/hi.sh': '#!/bin/sh\n',
  'modules/demo/tasks/hi.json': JSON.stringify({ description: 't' }),
  'modules/demo/tasks/bad.sh': 'x\n',
  'modules/demo/tasks/bad.json': '{"files":"x"}',
  'modules/demo/plans/go.pp': 'plan demo::go() { }\n',
  'modules/flat/lib/facter/own.rb': '# another of this name\n',
  'modules/flat/files/x': 'x',
}

/** A branch whose manifest does not parse. */
export const broken: Files = { 'manifests/site.pp': 'class {\n' }
