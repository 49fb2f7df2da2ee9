import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const keys = `# keys of mine
ssh-rsa AAAA1 one
no-pty,command="echo \\"a, b\\"" ssh-rsa AAAA2 two words
ssh-ed25519 AAAA3

1024 35 1234567 old
from="10.0.0.1"   ssh-dss   AAAA5   spaced
`

applyBoth(puppet, 'authorized keys are applied as real Puppet applies them', ['sshkeys_core'], {
  'keys made, changed and removed': {
    files: { keys },
    manifest: `
      Ssh_authorized_key { target => '@/keys', user => 'root' }
      ssh_authorized_key { 'new': type => 'ssh-rsa', key => 'BBBB' }
      ssh_authorized_key { 'with options': type => 'ed25519', key => 'BBBB', options => ['no-pty', 'from="a,b"'] }
      ssh_authorized_key { 'one': type => 'rsa', key => 'AAAA1', options => 'no-pty' }
      ssh_authorized_key { 'two words': type => 'rsa', key => 'CCCC' }
      ssh_authorized_key { 'spaced': ensure => absent }`,
  },
  'options that are right already': {
    files: { keys },
    manifest: `ssh_authorized_key { 'two words': options => ['no-pty', 'command="echo \\"a, b\\""'], target => '@/keys', user => 'root' }`,
  },
  'a folder that is not there yet': {
    manifest: `ssh_authorized_key { 'a': type => 'rsa', key => 'A', target => '@/new/keys', user => 'root' }`,
  },
  'as another user, who makes the folder': {
    manifest: [
      `file { '@/home': ensure => directory, owner => 'daemon' }
      -> ssh_authorized_key { 'a': type => 'rsa', key => 'A', user => 'daemon', target => '@/home/.ssh/keys' }`,
      `ssh_authorized_key { 'b': type => 'rsa', key => 'B', user => 'daemon', target => '@/home/.ssh/keys' }`,
    ],
  },
  'as another user, who may not write there': {
    manifest: `ssh_authorized_key { 'a': type => 'rsa', key => 'A', user => 'daemon', target => '@/keys' }`,
  },
  'as another user, who may not make the folder': {
    manifest: `ssh_authorized_key { 'a': type => 'rsa', key => 'A', user => 'daemon', target => '@/new/keys' }`,
  },
  'without privileges dropped, in a folder that is not there': {
    manifest: `
      ssh_authorized_key { 'a':
        type => 'rsa', key => 'A', target => '@/none/keys', user => 'root', drop_privileges => false,
      }`,
  },
  'without a user': { manifest: `ssh_authorized_key { 'a': type => 'rsa', key => 'A', target => '@/keys' }` },
  'a user that does not exist': {
    manifest: `ssh_authorized_key { 'a': type => 'rsa', key => 'A', target => '@/keys', user => 'nobody-of-that-name' }`,
  },
  'a user that does not exist, and no target': {
    manifest: `ssh_authorized_key { 'a': type => 'rsa', key => 'A', user => 'nobody-of-that-name' }`,
  },
  'a key that is missing': {
    files: { keys },
    manifest: `ssh_authorized_key { 'a': type => 'rsa', user => 'root', target => '@/keys' }`,
  },
  'a line that is no key': {
    files: { keys: 'ssh-rsa AAAA one\nwhat is this\n' },
    manifest: `ssh_authorized_key { 'one': type => 'rsa', key => 'B', user => 'root', target => '@/keys' }`,
  },
  'only what would be done': {
    files: { keys },
    noop: true,
    manifest: `
      Ssh_authorized_key { target => '@/keys', user => 'root' }
      ssh_authorized_key { 'two words': type => 'rsa', key => 'AAAA2' }
      ssh_authorized_key { 'one': options => ['a', 'b'] }`,
  },
  'neither user nor target': { manifest: [`ssh_authorized_key { 'a': type => 'rsa', key => 'A' }`] },
  'a wrong type': { manifest: [`ssh_authorized_key { 'a': type => 'rot13', user => 'root' }`] },
  'a key with blanks': { manifest: [`ssh_authorized_key { 'a': key => 'A B', user => 'root' }`] },
  'options in one text': { manifest: [`ssh_authorized_key { 'a': options => 'a,b', user => 'root' }`] },
})
