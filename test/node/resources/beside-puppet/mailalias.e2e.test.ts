import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const aliases = `# See man 5 aliases
postmaster: root

ftp:   root , admin
quoted : "|/usr/bin/vacation root", 'single', "a, b"
list: :include: /etc/list
gone: nobody
same: root
`

applyBoth(puppet, 'aliases are applied as real Puppet applies them', ['mailalias'], {
  'aliases made, changed and removed': {
    files: { aliases },
    manifest: `
      Mailalias { target => '@/aliases' }
      mailalias { 'new': recipient => ['a@example.com', 'b+c', '|/bin/prog -x', 'd e'] }
      mailalias { 'ftp': recipient => 'root' }
      mailalias { 'quoted': recipient => ['|/usr/bin/vacation root', 'single', 'a, b'] }
      mailalias { 'gone': ensure => absent }
      mailalias { 'same': recipient => ['root'] }
      mailalias { 'more': file => '/etc/more' }`,
  },
  'the usual file': {
    files: { 'etc/aliases': aliases },
    manifest: `mailalias { 'postmaster': recipient => ['root', 'me'] } mailalias { 'gone': ensure => absent }`,
  },
  'a file that is not there yet': { manifest: `mailalias { 'a': recipient => 'b', target => '@/aliases' }` },
  'from a list in a file to recipients, and back': {
    files: { aliases },
    manifest: [
      `mailalias { 'list': recipient => ['a'], target => '@/aliases' }`,
      `mailalias { 'list': file => '/etc/list', target => '@/aliases' }`,
    ],
  },
  'an alias of nothing': {
    files: { aliases },
    manifest: `mailalias { 'a': ensure => present, target => '@/aliases' }`,
  },
  'only what would be done': {
    files: { aliases },
    noop: true,
    manifest: `mailalias { 'ftp': recipient => ['root', 'x'], target => '@/aliases' }
      mailalias { 'new': recipient => 'x', target => '@/aliases' }`,
  },
  'both a recipient and a file': {
    manifest: [`mailalias { 'a': recipient => 'b', file => '/c', target => '@/aliases' }`],
  },
  'a file that is no path': { manifest: [`mailalias { 'a': file => 'c', target => '@/aliases' }`] },
})
