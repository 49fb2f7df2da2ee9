import { describe, expect, it } from 'vitest'
import { lintText } from './lint-text.ts'

describe('corrections keep the meaning of the code, where puppet-lint changes it', () => {
  it.each<[string, string, string, string | undefined]>([
    [
      'ensure without a comma after it',
      'ensure_first_param',
      "file { 'a': mode => '1', ensure => present }\nfile { 'b': ensure => file, }\n",
      "file { 'a': ensure => present, mode => '1' }\nfile { 'b': ensure => file, }\n",
    ],
    ['a comment before code', 'star_comments', '$a = 1 /* one */ + 2\n', undefined],
    ['a comment after a word', 'star_comments', 'include foo/* a\nb */\n', 'include foo# a\n# b\n'],
    ['a comment with slashes, when another is corrected', 'hard_tabs', '\t$a = 1 // one\n', '  $a = 1 // one\n'],
    [
      'an attribute after a comma without space',
      'arrow_alignment',
      "a { 'b':\n  c => 1,d => 2,\n  ee => 3,\n}\n",
      "a { 'b':\n  c  => 1,d => 2,\n  ee => 3,\n}\n",
    ],
    [
      'an index in a heredoc',
      'variables_not_enclosed',
      '$a = @("E")\n  $b[0] c\n  | E\n',
      '$a = @("E")\n  ${b[0]} c\n  | E\n',
    ],
    ['a line break before a variable', 'hard_tabs', '\t$a = "b\n$c"\n', '  $a = "b\n$c"\n'],
    [
      'a version that is compared with a variable',
      'version_comparison',
      'if $version < $other { }\n',
      'if versioncmp($version, $other) < 0 { }\n',
    ],
    ['a version that is compared with a call', 'version_comparison', 'if $version < other(1) { }\n', undefined],
    ['nested lists', 'trailing_comma', "$a = [['b'\n]]\n", "$a = [['b',\n]]\n"],
    ['a star comment at the end of the file', 'star_comments', 'class a { }\n/* b\n c */', 'class a { }\n# b\n\n# c'],
    [
      'the text of a heredoc in a list',
      'strict_indent',
      '$z = [\n  @(F)\n    a b c\n    F\n]\nnotice($z)\n',
      undefined,
    ],
    ['the text of a heredoc', 'strict_indent', '$y = @(E)\n  hello\n  world\n  E\n', undefined],
    [
      'the text of a heredoc with variables',
      'strict_indent',
      '$z = [\n  @("F"),\n    a ${b}\n    F\n      3,\n]\n',
      '$z = [\n  @("F"),\n    a ${b}\n    F\n  3,\n]\n',
    ],
    [
      'the name of a node with dots',
      'unquoted_node_name',
      'node 1.x, foo.bar.2, baz { }\n',
      "node '1.x', 'foo.bar.2', 'baz' { }\n",
    ],
    ['a subtraction from a fact', 'top_scope_facts', '$a = $::cpus-1\n', undefined],
    ['a fact in a string before a dash', 'top_scope_facts', '$a = "b $::cpus-1"\n', undefined],
    [
      'a fact with indexes',
      'top_scope_facts',
      "$a = $::disks['a-b'] + $::cpus\n",
      "$a = $facts['disks']['a-b'] + $facts['cpus']\n",
    ],
    ['line breaks of Windows', 'star_comments', '\r\n/* a\r\n b */\r\n', '\r\n# a\r\n\r\n# b\r\n'],
  ])('%s', (_, check, text, fixed) => {
    expect(lintText(text, { checks: [check], fix: true }).fixed).toBe(fixed)
  })

  it('of several checks at the same place', () => {
    expect(lintText('notify{"${x}":}\n', { fix: true }).fixed).toBe('notify { $x: }\n')
    const checks = ['variables_not_enclosed', 'top_scope_facts']
    expect(lintText('$a = "b $::cpus-1"\n', { checks, fix: true }).fixed).toBe('$a = "b ${facts[\'cpus\']}-1"\n')
  })

  it('unless the result would have a syntax error', () => {
    const { problems, fixed, warnings } = lintText('node foo . bar { }\n', {
      checks: ['unquoted_node_name'],
      fix: true,
    })
    expect([fixed, warnings]).toEqual([
      undefined,
      ['the file is not corrected because the result would have a syntax error'],
    ])
    expect(problems.map(({ kind }) => kind)).toEqual(['warning', 'warning'])
  })
})
