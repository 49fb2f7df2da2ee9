import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const keys = 'ssh-rsa AAAA kept\n# note\nssh-rsa BBBB\nno-pty ssh-ed25519 CCCC other key\nnonsense\nssh-rsa DDDD last\n'

applyBoth(puppet, 'keys of users', ['sshkeys_core'], {
  'that the catalog does not have are removed': {
    manifest: `
      user { 'root': purge_ssh_keys => ['@/keys', '%h/none/keys', '@/missing'] }
      ssh_authorized_key { 'kept': user => 'root', type => 'ssh-rsa', key => 'AAAA', target => '@/keys', drop_privileges => false }`,
    files: { keys: keys.replace('nonsense\n', '') },
  },
  'by no other paths': {
    manifest: "user { 'root': purge_ssh_keys => ['keys'] }",
    once: 'the catalog is refused, both times',
  },
})
