import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const keys =
  '# mine\nssh-rsa AAAA kept\nno-pty,command="a b" ssh-ed25519 BBBB other key\nssh-rsa CCCC\nssh-dss DDDD old\n'
const files = { 'h/keys': keys }
const key = (attributes: string, name = 'kept') => ({
  files,
  manifest: `ssh_authorized_key { '${name}': user => 'root', target => '@/h/keys', ${attributes} }`,
})
const purge = (paths: string, more = '') => ({ files, manifest: `user { 'root': purge_ssh_keys => ${paths} } ${more}` })
const kept = "ssh_authorized_key { 'kept': user => 'root', type => 'ssh-rsa', key => 'AAAA', target => '@/h/keys' }"

situations(puppet, 'ssh-keys', ['sshkeys_core'], {
  'a key that is right': key("type => 'ssh-rsa', key => 'AAAA'"),
  'another type': key("type => 'ssh-ed25519', key => 'AAAA'"),
  'a short name of a type': key("type => rsa, key => 'AAAA'"),
  'each short name': key("type => 'ed25519', key => 'EEEE'", 'new'),
  'a type that is unknown': key("type => 'rsa4096', key => 'AAAA'"),
  'a key of two lines': key('type => rsa, key => "AA\\nBB"'),
  'a key with blanks': key("type => rsa, key => 'AA BB'"),
  'an empty key': key("type => rsa, key => ''", 'new'),
  'no key': key('type => rsa', 'new'),
  'no type': key("key => 'EEEE'", 'new'),
  'no user and no target': { manifest: "ssh_authorized_key { 'a': type => rsa, key => 'AAAA' }" },
  'a user who is unknown': {
    manifest: "ssh_authorized_key { 'a': user => 'nobody-of-that-name', type => rsa, key => 'AAAA' }",
  },
  'options of one text': key("type => rsa, key => 'AAAA', options => 'no-pty'"),
  'options of several': key(
    "type => rsa, key => 'AAAA', options => ['no-pty', 'command=\"x, y\"', 'from=\"10.0.0.0/8\"']",
  ),
  'options that change': key(
    "type => 'ssh-ed25519', key => 'BBBB', options => ['command=\"a b\"', 'no-pty']",
    'other key',
  ),
  'options with a blank': key("type => rsa, key => 'AAAA', options => 'no pty'"),
  'options with a comma': key("type => rsa, key => 'AAAA', options => 'no-pty,no-x11-forwarding'"),
  'options of a value without quotes': key("type => rsa, key => 'AAAA', options => 'from=a'"),
  'a name with a blank': key("type => rsa, key => 'EEEE'", 'a b'),
  absent: key('ensure => absent'),
  'absent of a name with a blank': key('ensure => absent', 'other key'),
  'absent of a key that is missing': key('ensure => absent', 'none'),
  'a key without a comment, by its name': key("type => rsa, key => 'CCCC'", 'named'),
  'a target that is missing': {
    manifest: "ssh_authorized_key { 'a': user => 'root', type => rsa, key => 'AAAA', target => '@/new/keys' }",
  },
  'a target in a folder that is there': {
    ...key("type => rsa, key => 'EEEE'", 'new'),
    manifest: "ssh_authorized_key { 'a': user => 'root', type => rsa, key => 'AAAA', target => '@/h/new' }",
  },
  'the mode of the file': { ...key("type => rsa, key => 'EEEE'", 'new'), modes: { 'h/keys': 0o644 } },
  'keys that are not managed are purged': purge("['@/h/keys']", kept),
  'purge by one text': purge("'@/h/keys'", kept),
  'purge with no key managed': purge("['@/h/keys']"),
  'purge of a file that is missing': purge("['@/h/none', '@/h/keys']", kept),
  'purge => true': { files, manifest: "user { 'daemon': purge_ssh_keys => true }" },
  'purge => false': purge('false', kept),
  'purge with %h': purge("['%h/none-such', '@/h/keys']", kept),
  'purge of a path that is relative': purge("['keys']"),
  'purge in noop': { ...purge("['@/h/keys']", kept), noop: true as const },
  'purge of a user who goes': {
    files,
    manifest: "user { 'nobody-of-that-name': ensure => absent, purge_ssh_keys => ['@/h/keys'] }",
  },
  'purge of a file with lines that are wrong': {
    files: { 'h/keys': 'ssh-rsa AAAA kept\nnonsense\nssh-rsa DDDD last\n' },
    manifest: `user { 'root': purge_ssh_keys => ['@/h/keys'] } ${kept}`,
  },
  'purge of certificates and of newer types': {
    files: {
      'h/keys':
        'cert-authority ssh-rsa AAAA ca\nsk-ssh-ed25519@openssh.com BBBB sk\necdsa-sha2-nistp256 CCCC ec\nrestrict,pty ssh-rsa DDDD r\n',
    },
    manifest: "user { 'root': purge_ssh_keys => ['@/h/keys'] }",
  },
  'purge of a file with returns and blanks': {
    files: { 'h/keys': '\n  ssh-rsa AAAA kept\r\nssh-rsa BBBB two  words \n\n' },
    manifest: "user { 'root': purge_ssh_keys => ['@/h/keys'] }",
  },
  'purge of two keys of one name': {
    files: { 'h/keys': 'ssh-rsa AAAA one\nssh-rsa BBBB one\n' },
    manifest: "user { 'root': purge_ssh_keys => ['@/h/keys'] }",
  },
})
