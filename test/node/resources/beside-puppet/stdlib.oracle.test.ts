import { applyBoth, liveAnswers } from './apply-both.ts'
import type { ApplyCase } from './apply-case.ts'

const anchors: Readonly<Record<string, ApplyCase>> = {
  'an anchor that passes a refresh on': {
    manifest: `
      file { '@/a': content => 'a', notify => Anchor['begin'] }
      anchor { 'begin': }
      ~> exec { '/bin/true': refreshonly => true }
      anchor { 'end': require => Anchor['begin'], noop => true }
      notify { 'later': subscribe => Anchor['begin'] }`,
  },
}

/** A file_line for each row: a name, what is in its file (`undefined`: nothing is there), and attributes. */
const rows: readonly (readonly [name: string, content: string | undefined, attributes: string])[] = [
  ['new', 'a\nb\n', "line => 'c'"],
  ['there', 'a\nb\n', "line => 'a'"],
  ['unended', 'a\nb', "line => 'c'"],
  ['windows', 'a\r\nb\r\n', "line => 'a'"],
  ['empty', '', "line => 'c'"],
  ['missing', undefined, "line => 'c'"],
  ['spaces', ' a\na \n', "line => 'a'"],
  ['unicode', 'caf\xc3\xa9\n', "line => 'café'"],
  ['unicode-new', 'caf\xc3\xa9\n', "line => 'thé', match => 'caf.$'"],
  ['several-lines', 'a\n', 'line => "x\\ny\\n"'],
  ['match', 'a = 1\nb = 2\n', "line => 'a = 3', match => '^a\\s*='"],
  ['match-there', 'a = 1\nb = 2\n', "line => 'a = 1', match => '^a\\s*='"],
  ['match-none', 'b = 2\n', "line => 'a = 1', match => '^a\\s*='"],
  ['match-none-kept', 'b = 2\n', "line => 'a = 1', match => '^a\\s*=', append_on_no_match => false"],
  ['match-none-but-there', 'b = 2\na\n', "line => 'a', match => '^x', append_on_no_match => false"],
  ['match-two', 'a = 1\na = 2\n', "line => 'a = 3', match => '^a'"],
  ['match-two-multiple', 'a = 1\nx\na = 2\n', "line => 'a = 3', match => '^a', multiple => true"],
  ['match-two-one-there', 'a = 1\na = 2\n', "line => 'a = 1', match => '^a', multiple => true"],
  ['match-kept', 'a = 1\n', "line => 'a = 3', match => '^a', replace => false"],
  ['match-kept-none', 'b = 1\n', "line => 'a = 3', match => '^a', replace => false"],
  ['kept-without-match', 'b = 1\n', "line => 'a = 3', replace => false"],
  [
    'all',
    'a = 1\na = 2\n',
    "line => 'a = 1', match => '^a', multiple => true, replace_all_matches_not_matching_line => true",
  ],
  ['all-one', 'a = 1\na = 2\n', "line => 'a = 1', match => '^a', replace_all_matches_not_matching_line => true"],
  ['all-none', 'a = 1\n', "line => 'a = 1', match => '^a', replace_all_matches_not_matching_line => true"],
  ['after', 'a\nb\n', "line => 'x', after => '^a'"],
  ['after-none', 'a\nb\n', "line => 'x', after => '^c'"],
  ['after-two', 'a\na\n', "line => 'x', after => '^a'"],
  ['after-two-multiple', 'a\nb\na', "line => 'x', after => '^a', multiple => true"],
  ['after-match', 'a\nb\n', "line => 'x = 1', match => '^x', after => '^a'"],
  ['after-match-two', 'a\nb\na\n', "line => 'x = 1', match => '^x', after => '^a'"],
  ['after-match-none', 'b\n', "line => 'x = 1', match => '^x', after => '^a'"],
  ['after-match-there', 'a\nx = 2\n', "line => 'x = 1', match => '^x', after => '^a'"],
  ['absent', 'a\nb\na\n', "ensure => absent, line => 'a'"],
  ['absent-unended', 'a\nb\na', "ensure => absent, line => 'b'"],
  ['absent-none', 'b\n', "ensure => absent, line => 'a'"],
  ['absent-match', 'a = 1\nb\n', "ensure => absent, match => '^a', match_for_absence => true"],
  ['absent-match-two', 'a = 1\na = 2\n', "ensure => absent, match => '^a', match_for_absence => true"],
  [
    'absent-match-multiple',
    'a = 1\nb\na = 2',
    "ensure => absent, match => '^a', match_for_absence => true, multiple => true",
  ],
  ['absent-match-ignored', 'a = 1\na\n', "ensure => absent, line => 'a', match => '^a ='"],
  ['absent-match-line', 'b\na\n', "ensure => absent, line => 'b', match => '^a', match_for_absence => true"],
  ['absent-match-other', 'b\na\n', "ensure => absent, line => 'b', match => '^c', match_for_absence => true"],
  ['absent-missing', undefined, "ensure => absent, line => 'a'"],
  ['ruby-anchors', 'x\na\n', "line => 'b', match => '\\Aa\\Z'"],
  ['ruby-options', 'AB\n', "line => 'b', match => '(?i:a)b*'"],
  ['ruby-classes', 'key: 1\n', "line => 'key: 2', match => '^[[:alpha:]]+:\\h*'"],
  ['ruby-lookbehind', 'ab\n', "line => 'ac', match => '(?<=a)b'"],
  ['wrong-pattern', 'a\n', "line => 'b', match => '['"],
  ['wrong-pattern-empty', '', "line => 'b', match => '('"],
  ['wrong-after', 'a\n', "line => 'b', after => '*'"],
  ['latin1-as-utf8', 'caf\xe9\n', "line => 'b', match => '^x'"],
  ['latin1-without-match', 'caf\xe9\n', "line => 'b'"],
  ['latin1', 'caf\xe9\nlock: 1\n', "line => 'lock: 2', match => '^lock', encoding => 'iso-8859-1'"],
  ['latin1-matched', 'caf\xe9\n', "line => 'tea', match => '^caf.$', encoding => 'iso-8859-1'"],
  ['latin1-pattern', 'caf\xe9\n', "line => 'tea', match => 'café', encoding => 'ISO-8859-1'"],
  ['windows-1252', 'caf\xe9 \x80\n', "line => 'tea', match => '^caf\\w .$', encoding => 'windows-1252'"],
  ['ascii', 'caf\xe9\n', "line => 'tea', match => '^caf', encoding => 'us-ascii'"],
  ['utf-16', 'a\n', "line => 'tea', encoding => 'utf-16le'"],
  ['sensitive', 'a\n', "line => Sensitive('secret-line')"],
  [
    'sensitive-match',
    'password = old\npassword = other\n',
    "line => Sensitive('password = new-one'), match => '^password'",
  ],
]

function fileLines(title: string): ApplyCase {
  return {
    files: Object.fromEntries(rows.flatMap(([name, content]) => (content === undefined ? [] : [[name, content]]))),
    manifest: rows
      .map(([name, , attributes]) => `file_line { '${name}': path => '@/${name}', ${attributes} }`)
      .join('\n'),
    ...(title === 'noop' ? { noop: true as const } : {}),
  }
}

const wrong = (attributes: string): ApplyCase => ({
  files: { a: 'a\n' },
  manifest: `file_line { 'wrong': ${attributes} }`,
  once: 'nothing is applied',
})

applyBoth(liveAnswers, 'anchor and file_line are as with stdlib in real Puppet', ['stdlib'], {
  ...anchors,
  'lines of files': fileLines('real'),
  'lines of files, in noop': fileLines('noop'),
  'a file with its lines, and who hears of them': {
    files: { 'sub/link': '-> @/sub/real', 'sub/real': 'old\n' },
    modes: { 'sub/real': 0o640 },
    manifest: `
      file_line { 'one': path => '@/made', line => 'one', notify => Exec['told'] }
      file_line { 'two': path => '@/made', line => 'two' }
      file { '@/made': ensure => file, replace => false, content => "first\\n" }
      file_line { 'linked': path => '@/sub/link', line => 'new' }
      file_line { 'nowhere': path => '@/none/x', line => 'new' }
      exec { 'told': command => '/bin/true', refreshonly => true }`,
  },
  'no line': wrong("path => '@/a'"),
  'no line but a match': wrong("path => '@/a', ensure => absent, match => 'a'"),
  'no path': wrong("line => 'a'"),
  'a relative path': wrong("line => 'a', path => 'a'"),
  'all but not several': wrong(
    "path => '@/a', line => 'a', multiple => false, replace_all_matches_not_matching_line => true",
  ),
  'all but not replaced': wrong(
    "path => '@/a', line => 'a', replace => false, replace_all_matches_not_matching_line => true",
  ),
  'neither true nor false': wrong("path => '@/a', line => 'a', multiple => perhaps"),
  'neither present nor absent': wrong("path => '@/a', line => 'a', ensure => there"),
})
