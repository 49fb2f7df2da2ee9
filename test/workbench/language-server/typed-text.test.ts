import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CodeWorkspace } from '../../../src/workbench/code-index/code-workspace.ts'
import { completeAt } from '../../../src/workbench/language-server/completion.ts'
import { listDiagnostics } from '../../../src/workbench/language-server/diagnostics.ts'
import { buildHover } from '../../../src/workbench/language-server/hover.ts'
import { findDefinitions } from '../../../src/workbench/language-server/navigation.ts'
import { buildOutline, listFoldingRanges } from '../../../src/workbench/language-server/outline.ts'
import { buildSemanticTokens } from '../../../src/workbench/language-server/semantic-tokens.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { writeFiles } from './editor.ts'

const root = scratchFolder('typed-text')
writeFiles(root, { 'metadata.json': '{"name": "me-m"}', 'manifests/init.pp': 'class m($a = 1) { $b = $a }' })
const workspace = new CodeWorkspace(root)
const path = join(root, 'manifests/typed.pp')

/** Asks all features about the end of a text. */
function askAll(text: string): void {
  workspace.setText(path, text)
  const lines = text.split('\n')
  const place = { path, position: { line: lines.length - 1, character: lines.at(-1)!.length } }
  const file = workspace.file(path)!
  completeAt(workspace, place)
  buildHover(workspace, place)
  findDefinitions(workspace, place)
  for (const { range } of listDiagnostics(file)) expect(range.start.line).toBeLessThan(lines.length)
  buildOutline(file)
  listFoldingRanges(file)
  const { data } = buildSemanticTokens(file)
  expect(data.every((each) => Number.isInteger(each) && each >= 0)).toBe(true)
}

const code = `# Doc.
class m::x(Array[String] $list = ['a', "b \${m::a}"], Optional[Hash] $o = undef) inherits m {
  file { default: mode => '0644'; ['/x', "/y \${list[0]}"]: content => @("END"/L) }
    text \${$m::b}
    | END
  $list.each |Integer $i, String $s| { notify { "n\${i}": message => $s ? { /a/ => 1, default => undef } } }
  if $o =~ Hash and !($list in [1]) { include m } elsif $x { fail('x') } else { File <| tag == 'a' |> -> Notify['n1'] }
  case $facts['os']['family'] { 'Debian', /Red/: { } default: { } }
}
function m::f(Any *$rest) >> String { "\${rest}" }
type M::T = Variant[Integer, M::U]
define m::d { @@file { "/\${title}": * => { 'mode' => '1' } } }
node /x/, 'y' { m::d { 'z': before => Class['m::x'] } }
`

describe('a text that is being typed', () => {
  it('has a response at every key', () => {
    for (let length = 0; length <= code.length; length++) askAll(code.slice(0, length))
  })

  it('has a response with any change', () => {
    const change = fc.record({
      at: fc.nat(code.length),
      drop: fc.nat(20),
      insert: fc.constantFrom('{', '}', "'", '"', '$', '${', '(', '|', '\n', '@(', '#', '/*', '\ud800'),
    })
    fc.assert(fc.property(change, ({ at, drop, insert }) => askAll(code.slice(0, at) + insert + code.slice(at + drop))))
  })

  it.each([
    ['a text of 5 MB', `$x = '${'a'.repeat(5_000_000)}'\n$`],
    ['deep nesting', `${'['.repeat(50_000)}$`],
    ['many open braces', `${"file { 'x': ".repeat(20_000)}`],
    ['many closed braces', `${'} '.repeat(500_000)}`],
    ['many comments', '# a\n'.repeat(100_000)],
  ])('has a response for %s', (_, text) => askAll(text))

  it('ends for manifests of every kind', () => {
    const folder = join(import.meta.dirname, '../../language')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.pp'))
    for (const name of files.slice(0, 40)) askAll(readFileSync(join(folder, name), 'utf8'))
  })
})
