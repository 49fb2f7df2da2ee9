import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const file = (...modes: readonly string[]) => ({
  files: Object.fromEntries(modes.map((_, index) => [`f${index}`, 'x'])),
  manifest: modes.map((mode, index) => `file { '@/f${index}': mode => ${mode} }`).join('\n'),
})

const folder = (...modes: readonly string[]) => ({
  files: Object.fromEntries(modes.map((_, index) => [`d${index}/in`, 'x'])),
  manifest: modes.map((mode, index) => `file { '@/d${index}': ensure => directory, mode => ${mode} }`).join('\n'),
})

const invalid = (mode: string) => ({ manifest: `file { '@/f': ensure => file, mode => ${mode} }` })

situations(puppet, 'modes', [], {
  'octal of each length': file("'0'", "'7'", "'44'", "'644'", "'0644'", "'00644'", "'7777'", "'07777'"),
  'special bits of files': file("'1644'", "'2755'", "'4755'", "'6711'", "'u+s'", "'g+s,a+x'", "'o+t'", "'+t'"),
  'special bits of folders': folder("'1777'", "'2775'", "'4755'", "'u+s'", "'g+s'", "'+t'", "'g-s'", "'o=t'"),
  'X of files without and with an x': {
    files: { a: 'x', b: 'x', c: 'x' },
    modes: { b: 0o744, c: 0o611 },
    manifest: "file { ['@/a', '@/b', '@/c']: mode => 'a+X' }",
  },
  'X of folders': folder("'a=rX'", "'u=rwX,g=rX,o='", "'go-rwx,a+X'"),
  'X beside other letters': {
    files: { a: 'x', b: 'x' },
    modes: { a: 0o700, b: 0o600 },
    manifest: "file { ['@/a', '@/b']: mode => 'u=rwX,g=rX,o=X' }",
  },
  'several operations in one clause': file("'u+r-w'", "'u=r+x'", "'a-rwx+r'", "'ug=rw-r'", "'u=rwx,u-x'"),
  'copies of other classes': file("'g=u'", "'o=g'", "'u=o'", "'go=u-w'", "'o+u'", "'u-g'"),
  'clauses without a class': file("'=r'", "'+x'", "'-w'", "'=rw,+x'", "'='", "'+'", "'-'"),
  'classes in other orders and twice': file("'ogu=r'", "'uu=x'", "'ao=r'", "'ga+w'"),
  'the same mode in another form': {
    files: { a: 'x', b: 'x', c: 'x' },
    modes: { a: 0o644, b: 0o644, c: 0o644 },
    manifest: "file { '@/a': mode => 'u=rw,go=r' } file { '@/b': mode => '00644' } file { '@/c': mode => 'u+w,a+r' }",
  },
  'symbolic modes of new files': `
    file { '@/a': ensure => file, mode => 'u=rw,g=r,o=' } file { '@/b': ensure => file, mode => 'a+x' }
    file { '@/c': content => 'x', mode => 'g+w' } file { '@/d': ensure => directory, mode => 'o-rx' }
    file { '@/e': ensure => directory, mode => 'a+X' } file { '@/f': ensure => file, mode => 'o=' }`,
  'octal modes of new files and folders': `
    file { '@/a': ensure => file, mode => '0' } file { '@/b': ensure => directory, mode => '0' }
    file { '@/c': ensure => directory, mode => '0640' } file { '@/d': ensure => directory, mode => '01777' }
    file { '@/e': ensure => file, mode => '4755', content => 'x' }`,
  'a mode of a folder for read without execute': folder("'0644'", "'0640'", "'0604'", "'0600'", "'0444'", "'0400'"),
  'the mode of a link': {
    files: { x: 'x', l: '-> @/x' },
    manifest:
      "file { '@/l': ensure => link, target => '@/x', mode => '0600' } file { '@/n': ensure => link, target => '@/x', mode => '0777' }",
  },
  'the mode behind a link': {
    files: { x: 'x', l: '-> @/x', y: 'y', m: '-> @/y', dead: '-> @/none' },
    manifest: `
      file { '@/l': mode => '0600' } file { '@/m': mode => '0600', links => follow }
      file { '@/dead': mode => '0600', links => follow }`,
  },
  'a mode with content': {
    files: { a: 'old', b: 'old' },
    modes: { a: 0o600, b: 0o755 },
    manifest:
      "file { '@/a': content => 'new' } file { '@/b': content => 'new', mode => '0640' } file { '@/c': content => 'new' }",
  },
  'a mode of something absent': "file { '@/a': mode => '0644' } file { '@/b': ensure => absent, mode => '0644' }",
  'a mode in noop': {
    files: { a: 'x' },
    noop: true,
    manifest:
      "file { '@/a': mode => '0600' } file { '@/b': ensure => file, mode => 'u=rw' } file { '@/c': ensure => directory, mode => 'a+X' }",
  },
  'a mode over a recursed folder': {
    files: { 'd/a': 'x', 'd/s/b': 'x', 'd/run': 'x', 'd/l': '-> a' },
    modes: { 'd/run': 0o755 },
    manifest: "file { '@/d': ensure => directory, recurse => true, mode => '0640' }",
  },
  'a symbolic mode over a recursed folder': {
    files: { 'd/a': 'x', 'd/s/b': 'x', 'd/run': 'x' },
    modes: { 'd/run': 0o755 },
    manifest: "file { '@/d': ensure => directory, recurse => true, mode => 'u=rwX,go=rX,o-r' }",
  },
  'a mode over a recursed source': {
    files: { 'from/a': 'x', 'from/s/b': 'x', 'from/run': 'x' },
    modes: { 'from/run': 0o755 },
    manifest: `
      file { '@/one': ensure => directory, recurse => true, source => '@/from', mode => 'g+w' }
      file { '@/two': ensure => directory, recurse => true, source => '@/from', source_permissions => use }
      file { '@/three': ensure => directory, recurse => true, source => '@/from' }`,
  },
  'source permissions in each form': {
    files: { from: 'x' },
    modes: { from: 0o751 },
    manifest: `
      file { '@/a': source => '@/from', source_permissions => use }
      file { '@/b': source => '@/from', source_permissions => use_when_creating }
      file { '@/c': source => '@/from', source_permissions => ignore }
      file { '@/d': source => '@/from', source_permissions => use, mode => '0600' }`,
  },
  'a mode and an owner together': {
    files: { a: 'x', b: 'x' },
    manifest: "file { '@/a': mode => '2640', owner => 'daemon' } file { '@/b': mode => 'u=rw,g=r', group => 'daemon' }",
  },
  'a letter that is no permission': invalid("'u=rwz'"),
  'an octal with a nine': invalid("'0648'"),
  'an octal that is too long': invalid("'077777'"),
  'an octal with a prefix': invalid("'0o644'"),
  'a mode of Integer': invalid('644'),
  'a mode of Integer in octal': invalid('0644'),
  'a mode of Float': invalid('6.44'),
  'a mode of Boolean': invalid('true'),
  'an empty mode': invalid("''"),
  'a mode that is blank around': invalid("' 644 '"),
  'a mode with blanks between': invalid("'u=r, g=r'"),
  'an array of modes': invalid("['0600', '0644']"),
  'a mode of undef': invalid('undef'),
  'a class that is unknown': invalid("'x=r'"),
  'a clause without an operation': invalid("'u'"),
  'a comma at the end': invalid("'u=r,'"),
  'a mode of ls': invalid("'rw-r--r--'"),
  'a negative mode': invalid("'-644'"),
})
