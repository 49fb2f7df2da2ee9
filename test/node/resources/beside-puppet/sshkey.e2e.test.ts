import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const known = `# hosts that we know
one.example,10.0.0.1 ssh-rsa AAAA1
one.example ssh-ed25519 AAAA2
two.example   ssh-rsa   AAAA3  a comment
|1|hash= ssh-rsa AAAA4

gone ssh-rsa AAAA5
@cert-authority *.example ssh-rsa AAAA6
`

/** Real Puppet names a resource by what it has parsed so far: `Sshkey[@]`. */
const unlike = /Sshkey\[[^\]]*\]/

applyBoth(puppet, 'known hosts are applied as real Puppet applies them', ['sshkeys_core'], {
  'keys made, changed and removed': {
    files: { known },
    manifest: `
      Sshkey { target => '@/known' }
      sshkey { 'new.example': type => 'ssh-rsa', key => 'BBBB', host_aliases => ['new', '10.0.0.2'] }
      sshkey { 'one.example@ssh-rsa': key => 'AAAA1', host_aliases => ['10.0.0.1', 'one'] }
      sshkey { 'one.example@ed25519': key => 'CCCC' }
      sshkey { 'two': name => 'two.example', type => 'rsa', key => 'AAAA3' }
      sshkey { 'gone': ensure => absent, type => rsa }`,
  },
  'the usual file': {
    files: { 'etc/ssh/ssh_known_hosts': known },
    manifest: `sshkey { 'a.example': type => 'ecdsa-sha2-nistp256', key => 'BBBB' }`,
  },
  'a file that is not there yet': {
    manifest: `sshkey { 'a.example@sk-ssh-ed25519@openssh.com': key => 'BBBB', target => '@/known' }`,
  },
  'a key that is missing': {
    manifest: `sshkey { 'a': ensure => present, type => 'rsa', target => '@/known' }`,
  },
  'without a type': { manifest: `sshkey { 'a': key => 'AAAA', target => '@/known' }` },
  'only what would be done': {
    files: { known },
    noop: true,
    manifest: `sshkey { 'one.example@ssh-rsa': key => 'X', host_aliases => [], target => '@/known' }`,
  },
  'what depends on a key of another title': {
    manifest: `
      sshkey { 'two': name => 'two.example', type => 'rsa', key => 'AAAA3', target => '@/known' }
      ~> exec { '/bin/true': refreshonly => true }`,
  },
  'a wrong type': { unlike, manifest: [`sshkey { 'a': type => 'rot13', key => 'A', target => '@/known' }`] },
  'a name with blanks': { unlike, manifest: [`sshkey { 'a b': type => 'rsa', key => 'A', target => '@/known' }`] },
  'a name with a comma': { unlike, manifest: [`sshkey { 'a,b': type => 'rsa', key => 'A', target => '@/known' }`] },
  'an alias with a comma': {
    unlike,
    manifest: [`sshkey { 'a': type => 'rsa', key => 'A', host_aliases => 'b,c', target => '@/known' }`],
  },
})
