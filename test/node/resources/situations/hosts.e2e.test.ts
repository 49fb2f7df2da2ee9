import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const files = {
  hosts:
    '# top\n127.0.0.1\tlocalhost\n10.0.0.2 two.example two\n10.0.0.3\tthree.example\tthree tri # third\n\n::1 localhost ip6\n',
}
const host = (attributes: string, name = 'two.example') => ({
  files,
  manifest: `host { '${name}': target => '@/hosts', ${attributes} }`,
})

situations(puppet, 'hosts', ['host_core'], {
  'an entry that is right': host("ip => '10.0.0.2', host_aliases => 'two'"),
  'another address': host("ip => '10.0.0.9'"),
  'an address of IPv6': host("ip => 'fe80::1'"),
  'a short address of IPv6 for a long one': host("ip => '0:0:0:0:0:0:0:1'", 'localhost'),
  'an address with a zone': host("ip => 'fe80::1%eth0'"),
  'an address that is too large': host("ip => '10.0.0.256'"),
  'an address that is none': host("ip => 'ten'"),
  'an address with leading zeros': host("ip => '10.0.0.002'"),
  'an address with blanks': host("ip => ' 10.0.0.2 '"),
  'an empty address': host("ip => ''"),
  'aliases of one text': host("host_aliases => 'duo'"),
  'aliases in another order': host("host_aliases => ['tri', 'three']", 'three.example'),
  'aliases of none': host('host_aliases => []', 'three.example'),
  'aliases with a blank': host("host_aliases => 'a b'"),
  'an empty alias': host("host_aliases => ['a', '']"),
  'the name among the aliases': host("host_aliases => ['two.example', 'two']"),
  'aliases that are not unique': host("host_aliases => ['a', 'a']"),
  'an alias that is no name': host("host_aliases => ['a_b', '-c']"),
  'a name with an underscore': host("ip => '10.0.0.5'", 'a_b.example'),
  'a name with a dot at its end': host("ip => '10.0.0.5'", 'a.example.'),
  'a name with a star': host("ip => '10.0.0.5'", '*.example'),
  'a name with a blank': host("ip => '10.0.0.5'", 'a b'),
  'a name of one letter and a number': host("ip => '10.0.0.5'", '5'),
  'a name in capitals': host("ip => '10.0.0.9'", 'Two.Example'),
  'a comment': host("comment => 'second'"),
  'a comment that changes': host("comment => 'other'", 'three.example'),
  'an empty comment': host("comment => ''", 'three.example'),
  'a comment with a sign': host("comment => 'a # b'"),
  'a comment with a line break': host('comment => "a\\nb"'),
  absent: host('ensure => absent', 'three.example'),
  'absent of a name that two entries have': host('ensure => absent', 'localhost'),
  'absent of an alias': host('ensure => absent', 'two'),
  'present without an address': host('ensure => present', 'new.example'),
  'present without an address, in noop': { ...host('ensure => present', 'new.example'), noop: true },
  'an address of an array': host("ip => ['10.0.0.8', '10.0.0.9']"),
  'no target that exists': { manifest: "host { 'a.example': ip => '10.0.0.1', target => '@/none/hosts' }" },
  'a file without a line break at its end': {
    files: { hosts: '10.0.0.1 one' },
    manifest: "host { 'a.example': ip => '10.0.0.2', target => '@/hosts' }",
  },
  'a file with odd lines': {
    files: { hosts: 'nonsense\n  10.0.0.4   four  \n10.0.0.5\tfive\t#\n10.0.0.6 six#seven eight\n' },
    manifest: `
      Host { target => '@/hosts' }
      host { 'four': ip => '10.0.0.44' } host { 'five': ip => '10.0.0.55' } host { 'six': ip => '10.0.0.66' } host { 'a': ip => '10.0.0.1' }`,
  },
  'a file with an odd line that is first': {
    files: { hosts: '10.0.0.5\n10.0.0.6 six\n' },
    manifest: "host { 'six': ip => '10.0.0.66', target => '@/hosts' }",
  },
  'a mode and an owner of the file': { ...host("ip => '10.0.0.9'"), modes: { hosts: 0o600 } },
  'an entry of two names': {
    files,
    manifest: `
      host { 'p': name => 'two.example', ip => '10.0.0.7', target => '@/hosts' }
      host { 'q.example': ip => '10.0.0.7', target => '@/hosts' }`,
  },
  noop: {
    files,
    noop: true,
    manifest: `
      Host { target => '@/hosts' }
      host { 'two.example': ip => '10.0.0.9', host_aliases => ['x'], comment => 'c' } host { 'new': ip => '10.0.0.1' } host { 'three.example': ensure => absent }`,
  },
  'a file of returns': {
    files: { hosts: '10.0.0.1 one\r\n10.0.0.2 two\r\n' },
    manifest: "host { 'one': ip => '10.0.0.9', target => '@/hosts' }",
  },
  'an entry that is there twice': {
    files: { hosts: '10.0.0.1 one\n10.0.0.2 one\n' },
    manifest: "host { 'one': ip => '10.0.0.3', target => '@/hosts' }",
  },
})
