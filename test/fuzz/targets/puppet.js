import { formatDiagnosticFrame, formatDiagnosticLine, PuppetError } from '../../../dist/base/issue.js'
import { parseSource } from '../../../dist/language/syntax/parser/parser.js'
import { formatDump } from '../../../dist/language/syntax/tree/default-dump.js'
import { toPn } from '../../../dist/language/syntax/tree/pn.js'
import { formatPn } from '../../../dist/language/syntax/tree/pn-text.js'
import { validateProgram } from '../../../dist/language/syntax/validation/validate.js'
import { allowing, must, textOf } from '../target.js'

/** Manifests, as the hook and the compiler read them: a tree that can be checked and shown, or a syntax error with its place. @type {import('../target.js').Target} */
export default {
  name: 'puppet',
  seeds: [
    'class ntp(String $server = "a", Array[Integer[1, 2]] $x = [1]) inherits base {\n  package { "ntp": ensure => installed }\n  -> file { ["/a", "/b"]: content => @("E"/L)\n    text ${x[0]} \\\n    | E\n    ; default: mode => "0644" }\n  ~> Service <| title == "ntp" and tag != x |> { enable => true }\n}\n',
    'define a::b($t = $title, *$rest) >> String { $y = if $t =~ /^a\\/b/ { 1 } elsif 2 { } else { undef } }\nnode default, /web/ { include x, y }\nfunction f::g(Integer *$a) >> Any { $a.map |$i, $v = 1| { $i + -$v * 2.5e3 } }\ntype T = Variant[Enum["a"], Undef]\n',
    '$a = case $x { 1, "b": { notice("${facts["os"]}") } default: { } }\nunless !true { $h = { a => 1, "b" => [*$l, ], } }\nFile { mode => 1 }\nFile["/a"] { owner +> x }\n@@user { "u": }\n$s = $x ? { /r/ => 1, default => 0x1F }\n$l << 1 >> 2 % 3 != 4\n',
    '{ "a$b ${c.d |$e| { $e[1,2] }}\\u{1F418}\\n": }\n# comment\n/* more */ $$x @("X":json/tn$)\n{"a":1}\n|- X\n',
  ],
  dictionary: [
    'class ',
    'define ',
    'node ',
    'function ',
    'type ',
    'if ',
    'else',
    'elsif ',
    'unless ',
    'case ',
    'default',
    'inherits ',
    'undef',
    'true',
    '=>',
    '+>',
    '->',
    '~>',
    '<-',
    '<|',
    '|>',
    '<<|',
    '|>>',
    '@@',
    '@("E")\n',
    '| E\n',
    '|- E',
    '${',
    '}',
    '$x',
    '"',
    "'",
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ' ? ',
    ' =~ ',
    '/r/',
    '|$x|',
    '::',
    '::a',
    'and ',
    ' in ',
    '*',
    '!',
    '-',
    ';',
    ':',
    ',',
    '.f',
    '#',
    '/*',
    '*/',
    '\\u{',
    '0x',
    '1e',
    '\n',
    'site ',
    'application ',
  ],
  // A heredoc or a string is a lexer of its own.
  nsPerByte: 3000,
  run(bytes) {
    const text = textOf(bytes)
    for (const options of [{}, { tasks: true }]) read({ file: 'f.pp', text }, options)
  },
}

/** @param {{ file: string, text: string }} source @param {import('../../../dist/language/syntax/parser/parser.js').ParserOptions} options */
export function read(source, options) {
  const said = []
  try {
    const { program, warnings } = parseSource(source, options)
    said.push(...warnings, ...validateProgram(program, options))
    allowing([PuppetError], () => formatPn(toPn(program)))
    allowing([PuppetError], () => formatDump(program))
    must(program.span.end === source.text.length, 'not all of it was read')
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    said.push(error.diagnostic)
  }
  for (const diagnostic of said.slice(0, 20)) {
    must(formatDiagnosticLine(diagnostic) !== '' && formatDiagnosticFrame(diagnostic) !== '', 'nothing is said')
    const { span } = diagnostic
    must(
      !span || (span.start >= 0 && span.end >= span.start && span.start <= source.text.length),
      'a place outside of the text',
    )
  }
}
