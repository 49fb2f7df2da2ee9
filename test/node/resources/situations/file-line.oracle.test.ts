import { liveAnswers } from '../beside-puppet/apply-both.ts'
import { situations } from './situations.ts'

const files = { f: 'one = 1\ntwo = 2\n# two\nthree = 3\n' }
const line = (attributes: string, title = 'l') => ({
  files,
  manifest: `file_line { '${title}': path => '@/f', ${attributes} }`,
})

situations(liveAnswers, 'file-line', ['stdlib'], {
  'a line that is there': line("line => 'two = 2'"),
  'a line that is missing': line("line => 'four = 4'"),
  'a line with blanks at its ends': line("line => '  two = 2 '"),
  'an empty line': line("line => ''"),
  'a line with a line break': line('line => "four\\nfive"'),
  'a line with a return at its end': {
    files: { f: 'one\r\ntwo\r\n' },
    manifest: "file_line { 'l': path => '@/f', line => 'one' }",
  },
  'a match of one line': line("line => 'two = 22', match => '^two'"),
  'a match of no line': line("line => 'two = 22', match => '^none'"),
  'a match that the line itself does not meet': line("line => 'x', match => '^two'"),
  'a match of two lines': line("line => 'two = 22', match => 'two'"),
  'a match of two lines with multiple': line("line => 'two = 22', match => 'two', multiple => true"),
  'multiple => false': line("line => 'two = 22', match => 'two', multiple => false"),
  'append_on_no_match => false': line("line => 'two = 22', match => '^none', append_on_no_match => false"),
  'append_on_no_match without match': line("line => 'four', append_on_no_match => false"),
  'replace => false': line("line => 'two = 22', match => '^two', replace => false"),
  'replace => false, without a match found': line("line => 'four', match => '^four', replace => false"),
  replace_all_matches_not_matching_line: line(
    "line => 'two = 22', match => 'two', multiple => true, replace_all_matches_not_matching_line => true",
  ),
  'replace_all_matches_not_matching_line without multiple': line(
    "line => 'two = 2', match => 'two', replace_all_matches_not_matching_line => true",
  ),
  'replace_all_matches_not_matching_line with replace => false': line(
    "line => 'two = 2', match => 'two', multiple => true, replace => false, replace_all_matches_not_matching_line => true",
  ),
  after: line("line => 'new', after => '^two'"),
  'after of no line': line("line => 'new', after => '^none'"),
  'after of two lines': line("line => 'new', after => 'two'"),
  'after of two lines with multiple': line("line => 'new', after => 'two', multiple => true"),
  'after and match': line("line => 'new = 1', after => '^one', match => '^new'"),
  'after and match that is found': line("line => 'three = 33', after => '^one', match => '^three'"),
  absent: line("ensure => absent, line => 'two = 2'"),
  'absent of a line that is missing': line("ensure => absent, line => 'none'"),
  'absent by match': line("ensure => absent, line => 'x', match => '^two', match_for_absence => true"),
  'absent by match of two': line("ensure => absent, line => 'x', match => 'two', match_for_absence => true"),
  'absent by match of two with multiple': line(
    "ensure => absent, line => 'x', match => 'two', match_for_absence => true, multiple => true",
  ),
  'absent by match without match_for_absence': line("ensure => absent, line => 'two = 2', match => '^two'"),
  'absent by match without a line': line("ensure => absent, match => '^two', match_for_absence => true"),
  'absent of a line that is there twice': {
    files: { f: 'a\nb\na\n' },
    manifest: "file_line { 'l': ensure => absent, path => '@/f', line => 'a' }",
  },
  'match_for_absence without match': line("ensure => absent, line => 'two = 2', match_for_absence => true"),
  'a file without a line break at its end': {
    files: { f: 'one' },
    manifest: "file_line { 'l': path => '@/f', line => 'two' }",
  },
  'an empty file': { files: { f: '' }, manifest: "file_line { 'l': path => '@/f', line => 'one' }" },
  'a file that is missing': "file_line { 'l': path => '@/none', line => 'one' }",
  'a file that is missing, absent': "file_line { 'l': ensure => absent, path => '@/none', line => 'one' }",
  'a file that is missing, in noop': { noop: true, manifest: "file_line { 'l': path => '@/none', line => 'one' }" },
  'a path that is a folder': { files: { 'd/x': 'x' }, manifest: "file_line { 'l': path => '@/d', line => 'one' }" },
  'a path that is a link to a folder': {
    files: { 'd/x': 'x', l: '-> @/d' },
    manifest: "file_line { 'l': path => '@/l', line => 'one' }",
  },
  'a link to a file': {
    files: { ...files, l: '-> @/f' },
    manifest: "file_line { 'l': path => '@/l', line => 'four' }",
  },
  'the mode and owner of the file': {
    files,
    modes: { f: 0o640 },
    manifest: "file_line { 'l': path => '@/f', line => 'four' }",
  },
  'several lines of one file': {
    files,
    manifest: `
      file_line { 'a': path => '@/f', line => 'four = 4' } -> file_line { 'b': path => '@/f', line => 'four = 5', match => '^four' }
      file_line { 'c': path => '@/f', line => 'four = 4' }`,
  },
  'a path that is relative': "file_line { 'l': path => 'f', line => 'x' }",
  'no line': "file_line { 'l': path => '@/f' }",
  'no path': "file_line { 'l': line => 'x' }",
  'a match that is no pattern': line("line => 'x', match => '(('"),
  'a line of Sensitive': line("line => Sensitive('secret = 1'), match => '^two'"),
  'a line with other letters': {
    files: { f: 'stra\xc3\x9fe\n' },
    manifest: "file_line { 'l': path => '@/f', line => 'gr\u{fc}n', match => '^stra.e$' }",
  },
  'an encoding': {
    files: { f: 'stra\xdfe\n' },
    manifest: "file_line { 'l': path => '@/f', line => 'gr\u{fc}n', encoding => 'iso8859-1' }",
  },
  'a file that is not UTF-8': {
    files: { f: 'stra\xdfe\n' },
    manifest: "file_line { 'l': path => '@/f', line => 'x' }",
  },
  'noop of each kind': {
    files,
    noop: true,
    manifest: `
      file_line { 'a': path => '@/f', line => 'four' } file_line { 'b': ensure => absent, path => '@/f', line => 'two = 2' }
      file_line { 'c': path => '@/f', line => 'two = 22', match => '^two' }`,
  },
  'a match with groups and anchors': line("line => 'two = 22', match => '\\\\Atwo(\\\\s*)=\\\\1\\\\d+\\\\z'"),
  'a match in another case': line("line => 'TWO = 22', match => '(?i)^TWO'"),
})
