import { type Manifests, wrongValues } from './table.ts'

const tree = { 'd/a': 'a', 'd/b': 'b', 'd/sub/c': 'c', 'd/sub/deep/e': 'e', 'd/.hidden': 'h' }

/** Forms of ensure, on what may be there before. */
const ensures: Manifests = {
  'ensure => file, where nothing is': "file { '@/a': ensure => file }",
  'ensure => present, where nothing is': "file { '@/a': ensure => present, mode => '0600' }",
  'ensure => false': {
    files: { b: 'b' },
    manifest: "file { '@/b': ensure => false }",
  },
  'ensure => present, on a folder and on a link': {
    files: { 'd/x': 'x', l: '-> @/d/x' },
    manifest: "file { ['@/d', '@/l']: ensure => present, mode => '0700' }",
  },
  'ensure => file, on a folder': { files: { 'd/x': 'x' }, manifest: "file { '@/d': ensure => file }" },
  'ensure => file, on a folder, forced': {
    files: { 'd/x': 'x' },
    manifest: "file { '@/d': ensure => file, force => true, backup => false, content => 'new' }",
  },
  'ensure => file, on a link': {
    files: { x: 'x', l: '-> @/x' },
    manifest: "file { '@/l': ensure => file, content => 'new' }",
  },
  'ensure => directory, on a file': { files: { f: 'f' }, manifest: "file { '@/f': ensure => directory }" },
  'ensure => directory, on a link to one': {
    files: { 'd/x': 'x', l: '-> @/d' },
    manifest: "file { '@/l': ensure => directory }",
  },
  'ensure => directory, below nothing': "file { '@/none/d': ensure => directory }",
  'ensure => directory, with the mode of files': "file { '@/d': ensure => directory, mode => '0644' }",
  'ensure => link': "file { '@/l': ensure => link, target => '/etc/hostname' }",
  'ensure => link, to a relative path': "file { '@/l': ensure => link, target => 'a/../b' }",
  'ensure => a path': "file { '@/l': ensure => '/etc/hostname' } file { '@/m': ensure => 'sub/x' }",
  'ensure => link, without a target': "file { '@/l': ensure => link }",
  'ensure => link, that leads elsewhere': {
    files: { l: '-> /nowhere' },
    manifest: "file { '@/l': ensure => link, target => '/etc/hostname' }",
  },
  'ensure => link, on a file': {
    files: { f: 'f' },
    manifest: "file { '@/f': ensure => link, target => '/etc/hostname' }",
  },
  'ensure => link, on a folder': {
    files: { 'd/x': 'x' },
    manifest: "file { '@/d': ensure => link, target => '/etc/hostname' }",
  },
  'a target without ensure': {
    files: { l: '-> /nowhere', f: 'f' },
    manifest: "file { ['@/l', '@/none']: target => '/etc/hostname' }",
  },
  'ensure => absent': {
    files: { f: 'f', l: '-> /nowhere', 'd/x': 'x', 'e/.keep': '' },
    manifest: `
      file { ['@/f', '@/l', '@/none', '@/d']: ensure => absent }
      file { '@/e': ensure => absent, force => true }`,
  },
  'ensure => absent, with all else that may be said': {
    files: { f: 'f' },
    manifest: "file { '@/f': ensure => absent, content => 'x', mode => '0600', owner => 'daemon' }",
  },
}

const contents: Manifests = {
  'content of other bytes': {
    manifest: 'file { \'@/a\': content => Binary("/wD+") } file { \'@/b\': content => "é\\u{1F600}\\n" }',
  },
  'content, empty': { files: { a: 'x' }, manifest: "file { ['@/a', '@/b']: content => '' }" },
  'content, without a newline at its end': {
    files: { a: 'one\ntwo', b: 'one\ntwo\n' },
    manifest: 'file { \'@/a\': content => "one\\nTWO\\n" } file { \'@/b\': content => "one\\nTWO" }',
  },
  'content, not shown': {
    files: { a: 'one\n', b: 'two\n' },
    manifest: `
      file { '@/a': content => 'x', show_diff => false }
      file { '@/b': content => Sensitive("three\\n") }`,
  },
  'content, in many lines': {
    files: { a: Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('') },
    manifest: `
      $lines = Integer[0, 39].map |$index| { if $index in [3, 30] { 'changed' } else { "line \${index}" } }
      file { '@/a': content => "\${join($lines, "\n")}\n" }`,
  },
  'content, not replaced': {
    files: { a: 'old' },
    manifest: "file { ['@/a', '@/b']: content => 'new', replace => false, mode => '0600' }",
  },
  'replace => no, by its other word': {
    files: { a: 'old' },
    manifest: "file { '@/a': content => 'new', replace => 'no' }",
  },
  'content, in noop': {
    files: { a: 'old\n' },
    manifest: "file { '@/a': content => 'new', noop => true } ~> exec { '/bin/true': refreshonly => true }",
  },
  'content, where a folder is': { files: { 'd/x': 'x' }, manifest: "file { '@/d': content => 'new' }" },
  'content, and a folder that is not there': "file { '@/none/a': content => 'new' }",
  'content, of each checksum': {
    files: { md5: 'x', sha1: 'x', sha256: 'x', sha224: 'x', sha384: 'x', sha512: 'x', md5lite: 'x', sha256lite: 'x' },
    manifest: `
      ['md5', 'sha1', 'sha256', 'sha224', 'sha384', 'sha512', 'md5lite', 'sha256lite', 'sha1lite'].each |$type| {
        file { "@/\${type}": content => 'new', checksum => $type }
      }`,
  },
  'a checksum alone': { files: { a: 'x' }, manifest: "file { '@/a': checksum => md5 }" },
}

const sums: Manifests = {
  'content, the sum of what no bucket has':
    "file { '@/a': content => '{sha256}e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }",
  'content, the sum of what is there': {
    files: { a: 'hello\n' },
    manifest: "file { '@/a': content => '{sha256}5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03' }",
  },
  'a checksum value with a source': {
    files: { a: 'old\n', from: 'hello\n' },
    manifest: `
      file { ['@/a', '@/b']:
        source => '@/from', checksum => sha256,
        checksum_value => '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
      }`,
  },
  'a wrong checksum value with a source': {
    files: { a: 'old\n', from: 'hello\n' },
    manifest: `
      file { ['@/a', '@/b']: source => '@/from', checksum => md5, checksum_value => 'b1946ac92492d2347c6235b4d2611184' }
      file { '@/c': source => '@/from', checksum => md5, checksum_value => '00000ac92492d2347c6235b4d2611184' }`,
  },
  'a checksum value with content': {
    manifest:
      "file { '@/b': content => \"hello\\n\", checksum => md5, checksum_value => 'b1946ac92492d2347c6235b4d2611184' }",
  },
  'a checksum value without a source': {
    files: { a: 'hello\n' },
    manifest: "file { '@/a': checksum => md5, checksum_value => 'b1946ac92492d2347c6235b4d2611184' }",
  },
}

const checks: Manifests = {
  'validate_cmd that agrees': {
    files: { a: 'old' },
    manifest: "file { ['@/a', '@/b']: content => 'good', validate_cmd => '/bin/grep -q good %' }",
  },
  'validate_cmd that refuses': {
    files: { a: 'old' },
    manifest:
      "file { ['@/a', '@/b']: content => 'bad', validate_cmd => '/bin/grep good %', notify => Notify['n'] } notify { 'n': }",
  },
  'validate_cmd that prints': {
    files: { a: 'old' },
    manifest: "file { '@/a': content => 'bad', validate_cmd => '/bin/sh -c \"echo out; echo err >&2; exit 3\"' }",
  },
  validate_replacement: {
    files: { a: 'old', b: 'old' },
    manifest: `
      file { '@/a': content => 'good', validate_cmd => '/bin/grep -q good NEW', validate_replacement => 'NEW' }
      file { '@/b': content => '100%', validate_cmd => '/bin/grep -q 100% NEW', validate_replacement => 'NEW' }`,
  },
  'staging_location is a directory': {
    files: { a: 'old', 'stage/kept': 'x' },
    manifest: `
      file { ['@/a', '@/b']:
        content          => 'good',
        staging_location => '@/stage',
        validate_cmd     => '/bin/sh -c "grep -q good %; echo %"',
      }
      file { '@/c': content => 'plain', staging_location => '@/stage' }`,
  },
  'staging_location that does not exist': {
    manifest: "file { '@/a': content => 'good', staging_location => '@/none' }",
  },
  'staging_location that is no absolute path': {
    manifest: "file { '@/a': content => 'good', staging_location => 'stage' }",
  },
  'validate_cmd in noop': {
    files: { a: 'old' },
    noop: true,
    manifest: "file { '@/a': content => 'bad', validate_cmd => '/bin/grep good %' }",
  },
  'validate_cmd of a source': {
    files: { from: 'bad' },
    manifest: "file { '@/a': source => '@/from', validate_cmd => '/bin/grep -q good %' }",
  },
}

const permissions: Manifests = {
  'modes, in each form': {
    files: { a: 'x', b: 'x', c: 'x', e: 'x', 'd/x': 'x' },
    manifest: `
      file { '@/a': mode => '755' } file { '@/b': mode => '4755' } file { '@/c': mode => 'u+x,g-r,o=' }
      file { '@/d': mode => 'a+rX' } file { '@/e': mode => 'u=rwx,g=u,o=g-w' } file { '@/f': ensure => file, mode => '0' }`,
  },
  'owners by name and by number': {
    files: { a: 'x', b: 'x', c: 'x' },
    manifest: `
      file { '@/a': owner => 'daemon', group => 'daemon' } file { '@/b': owner => 1, group => '2' }
      file { '@/c': owner => ['nobody-of-that-name', 'daemon'], group => ['none-such', 'daemon'] }
      file { '@/d': ensure => file, owner => 'daemon', group => 2, mode => '2640' }`,
  },
  'an owner who is nobody': {
    files: { a: 'x' },
    manifest: "file { '@/a': owner => 'nobody-of-that-name' } file { '@/b': ensure => file, group => 'none-such' }",
  },
  'owners of links': {
    files: { x: 'x', l: '-> @/x', m: '-> @/x' },
    manifest:
      "file { '@/l': owner => 'daemon', mode => '0600' } file { '@/m': owner => 'daemon', mode => '0600', links => follow }",
  },
  'read-only states, watched': {
    files: { a: 'x' },
    manifest: "file { '@/a': audit => ['type', 'mode', 'owner'] } file { '@/b': audit => all }",
    once: 'the times of two files differ',
  },
}

const recursion: Manifests = {
  'recurse, with a depth': {
    files: tree,
    manifest: "file { '@/d': ensure => directory, recurse => true, recurselimit => 1, mode => '0700' }",
  },
  'recurse, with names that are left out': {
    files: tree,
    manifest: "file { '@/d': ensure => directory, recurse => true, ignore => ['.h*', 'deep'], mode => '0700' }",
  },
  'recurse, what nobody manages goes': {
    files: tree,
    manifest: `
      file { '@/d': ensure => directory, recurse => true, purge => true }
      file { '@/d/a': ensure => file }`,
  },
  'recurse, what nobody manages goes by force': {
    files: tree,
    manifest: `
      file { '@/d': ensure => directory, recurse => true, purge => true, force => true, backup => false }
      file { '@/d/a': ensure => file } file { '@/d/sub/deep/new': ensure => file }
      file { '@/d/sub': ensure => directory } file { '@/d/sub/deep': ensure => directory }`,
  },
  'recurse, purge in noop': {
    files: tree,
    noop: true,
    manifest: "file { '@/d': ensure => directory, recurse => true, purge => true, force => true }",
  },
  'recurse, of too many files': {
    files: tree,
    manifest: "file { '@/d': ensure => directory, recurse => true, max_files => 2, mode => '0700' }",
  },
  'recurse, on a file': { files: { f: 'f' }, manifest: "file { '@/f': recurse => true, mode => '0600' }" },
  'recurse, into a folder from several sources': {
    files: { 'one/a': '1a', 'one/b': '1b', 'two/b': '2b', 'two/c': '2c', 'two/s/x': 'x' },
    manifest: `
      file { '@/first': ensure => directory, recurse => true, source => ['@/none', '@/one', '@/two'] }
      file { '@/all': ensure => directory, recurse => true, source => ['@/one', '@/two'], sourceselect => all }`,
  },
  'recurse => remote, with purge': {
    files: { 'from/a': 'a', 'from/s/b': 'b', 'd/a': 'old', 'd/mine': 'm', 'd/s/other': 'o' },
    manifest: "file { '@/d': ensure => directory, recurse => remote, purge => true, source => '@/from' }",
  },
  'recurse => true, with the links of a source': {
    files: { 'from/a': 'a', 'from/l': '-> a', 'from/dead': '-> nowhere' },
    manifest: `
      file { '@/kept': ensure => directory, recurse => true, links => manage, source => '@/from' }
      file { '@/followed': ensure => directory, recurse => true, links => follow, source => '@/from', ignore => 'dead' }`,
  },
}

const sources: Manifests = {
  'source, a path and a URL': {
    files: { from: 'hello\n', a: 'old\n' },
    manifest: "file { '@/a': source => '@/from' } file { '@/b': source => 'file://@/from', mode => '0600' }",
  },
  'source, the first that is there': {
    files: { from: 'hello\n' },
    manifest: "file { '@/a': source => ['@/none', '@/from', '@/other'] }",
  },
  'source, none that is there':
    "file { '@/a': source => ['@/none', '@/other'] } notify { 'n': require => File['@/a'] }",
  'source, with its permissions': {
    files: { from: 'x', old: 'x' },
    modes: { from: 0o751 },
    manifest: `
      file { '@/use': source => '@/from', source_permissions => use }
      file { '@/create': source => '@/from', source_permissions => use_when_creating }
      file { '@/old': source => '@/from', source_permissions => use_when_creating, mode => '0600' }`,
  },
  'source, a folder that is not recursed into': {
    files: { 'from/a': 'a' },
    manifest: "file { '@/d': source => '@/from' } file { '@/e': ensure => directory, source => '@/from' }",
  },
  'source, a link': {
    files: { x: 'x', l: '-> @/x' },
    manifest:
      "file { '@/a': source => '@/l' } file { '@/b': source => '@/l', links => follow } file { '@/c': source => '@/l', links => manage }",
  },
  'source, of a module': "file { '@/a': source => 'puppet:///modules/none/a' }",
  'source, with mtime as its checksum': {
    files: { from: 'hello\n' },
    manifest: "file { '@/a': source => '@/from', checksum => none }",
  },
  'source, not replaced': {
    files: { from: 'new', a: 'old' },
    manifest: "file { ['@/a', '@/b']: source => '@/from', replace => false }",
  },
}

const backups: Manifests = {
  'backup, by a suffix': {
    files: { a: 'old', 'd/x': 'x', l: '-> @/a' },
    manifest: `
      File { backup => '.was' }
      file { '@/a': content => 'new' } file { '@/d': ensure => absent, force => true } file { '@/l': ensure => absent }`,
  },
  'backup => true': { files: { a: 'old' }, manifest: "file { '@/a': ensure => absent, backup => true }" },
  'backup, where one is already': {
    files: { a: 'old', 'a.was': 'older' },
    manifest: "file { '@/a': content => 'new', backup => '.was' }",
  },
  'backup, in a bucket of its own': {
    files: { a: 'old', 'd/x': 'x' },
    manifest: `
      filebucket { 'mine': path => '@/bucket' }
      File { backup => 'mine' }
      file { '@/a': content => 'new' } file { '@/d': ensure => absent, force => true }`,
    once: 'the bucket is looked at after the first',
  },
  'backup, in the bucket of this machine': {
    files: { a: 'old' },
    manifest: "file { '@/a': content => 'new', backup => 'puppet' }",
  },
}

const titles: Manifests = {
  'titles with slashes at their ends': {
    files: { 'd/x': 'x' },
    manifest:
      "file { '@/d/': mode => '0700' } file { '@/e//': ensure => directory } -> file { '@/e/f': ensure => file }",
  },
  'titles that are no paths':
    "file { 'a': path => '@/a', ensure => file } file { 'b': path => '@//b/./c/../d', ensure => file }",
  'staging elsewhere': {
    files: { 's/.keep': '' },
    manifest: "file { '@/a': content => 'x', staging_location => '@/s' }",
  },
  'one path by two titles': { manifest: "file { 'a': path => '@/a' } file { 'b': path => '@/a' }", once: 'refused' },
  'one path by a title with a slash': {
    manifest: "file { '@/a': ensure => directory } file { '@/a/': }",
    once: 'refused',
  },
  'who waits for whom, without saying so': {
    manifest: `
      file { '@/d/e/f': content => 'x' } file { '@/d/e': ensure => directory } file { '@/d': ensure => directory }
      file { '@/l': ensure => link, target => '@/d/e/f' } exec { '/bin/cat @/d/e/f': } exec { '/bin/ls': cwd => '@/d' }`,
  },
}

const title = '/tmp/none/x'

/** Files. */
export const file: Manifests = {
  ...ensures,
  ...contents,
  ...sums,
  ...checks,
  ...permissions,
  ...recursion,
  ...sources,
  ...backups,
  ...titles,
  ...wrongValues('file', title, {
    mode: ["'rw'", "'0999'", '644', "'u=q'", "'07777777'"],
    recurse: ["'yes'", "'inf'"],
    recurselimit: ["'x'", "'-1'"],
    max_files: ["'x'"],
    source: ["'relative'", "'ftp://a/b'", "''"],
    backup: ['5', "{ 'a' => 1 }"],
    content: ['3', '3.5', 'true', "{ 'a' => 1 }", "['a', 3]"],
    links: ["'yes'"],
    replace: ["'maybe'"],
    type: ["'file'"],
    checksum_value: ["'x'"],
    nothing: ["'x'"],
    sourceselect: ["'some'"],
    path: ["'a/b'"],
    audit: ["'nothing'"],
    noop: ["'perhaps'"],
    schedule: ["'none'"],
  }),
  ...wrongValues('file', 'relative/path', { ensure: ['file'] }),
}
