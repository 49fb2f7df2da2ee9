import { besidePuppet } from '../../support/apply-beside-puppet.ts'

const aliases = `# See man 5 aliases
postmaster: root

ftp:   root , admin
quoted : "|/usr/bin/vacation root", 'single', "a, b"
list: :include: /etc/list
gone: nobody
same: root
`

besidePuppet('aliases', {
  'aliases made, changed and removed': {
    files: { aliases },
    manifests: `
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
    manifests: `mailalias { 'postmaster': recipient => ['root', 'me'] } mailalias { 'gone': ensure => absent }`,
  },
  'a file that is not there yet': { manifests: `mailalias { 'a': recipient => 'b', target => '@/aliases' }` },
  'from a list in a file to recipients, and back': {
    files: { aliases },
    manifests: [
      `mailalias { 'list': recipient => ['a'], target => '@/aliases' }`,
      `mailalias { 'list': file => '/etc/list', target => '@/aliases' }`,
    ],
  },
  'an alias of nothing': {
    files: { aliases },
    manifests: `mailalias { 'a': ensure => present, target => '@/aliases' }`,
  },
  'only what would be done': {
    files: { aliases },
    noop: true,
    manifests: `mailalias { 'ftp': recipient => ['root', 'x'], target => '@/aliases' }
      mailalias { 'new': recipient => 'x', target => '@/aliases' }`,
  },
  'both a recipient and a file': {
    manifests: [`mailalias { 'a': recipient => 'b', file => '/c', target => '@/aliases' }`],
  },
  'a file that is no path': { manifests: [`mailalias { 'a': file => 'c', target => '@/aliases' }`] },
})
