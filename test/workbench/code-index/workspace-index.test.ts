import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../../src/base/threads/cooperative-tasks.ts'
import { checkCode } from '../../../src/workbench/code-checks/check-code.ts'
import { CheckedCode } from '../../../src/workbench/code-checks/code/checked-code.ts'
import { CodeWorkspace } from '../../../src/workbench/code-index/code-workspace.ts'
import { getPlaceName } from '../../../src/workbench/code-index/name-places.ts'
import { semanticRules } from '../../../src/workbench/lint/checks/semantic-rules.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { writeFiles } from '../language-server/editor.ts'

/** Texts of each file, in which names are defined, used, renamed and broken. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'modules/a/manifests/init.pp': [
    'class a($x = 1, $y = 2) { include b }',
    "class a(Integer $x = 1) { $t = 1 $c = template('a/t.erb') lookup('free') }",
    'class a { B::D { p => 1 } lookup("a::${facts[\'os\']}") }',
    'class a(',
  ],
  'modules/b/manifests/init.pp': ['class b inherits a { notice($x) }', 'class b { notice($a::y) }', 'class c { }'],
  'modules/b/manifests/d.pp': [
    'define b::d($p, $q) { notice($p) }',
    "define b::d($p = 1) { b::d { 'x': } epp('b/t.epp') }",
  ],
  'modules/a/templates/t.erb': ['<%= @t %>', '<%= @u %> @y'],
  'modules/b/templates/t.epp': ['<%= $facts %>', '<%= $a::x %>'],
  'modules/b/lib/puppet/functions/b/f.rb': ["Puppet::Functions.create_function(:'b::f') { 'a::y' }"],
  'modules/b/lib/facter/thing.rb': ['Facter.add(:things) { }'],
  'modules/b/metadata.json': ['{"name": "x-b", "dependencies": [{"name": "x-z"}]}', '{"name": "x-b"}', '['],
  'data/common.yaml': [
    "a::x: 'x'\na::z: 1\nfree: 1\n",
    "lookup_options:\n  a::x: { convert_to: Integer }\na::x: '%{lookup('free')}'\n",
    'a::x: [',
  ],
  'manifests/site.pp': ['$u = 1\ninclude a', 'include c\nb::f()\nnotice($u, $things)'],
}
const names = Object.keys(texts)
const base = { 'environment.conf': 'modulepath = modules\n', 'hiera.yaml': '---\nversion: 5\n' }
const all = new Set(semanticRules.keys())

/** The problems of all files, and the places of some names. */
function survey(workspace: CodeWorkspace, root: string): unknown {
  const code = new CheckedCode(workspace)
  const problems = names
    .filter((name) => /\.(?:pp|epp|yaml)$/.test(name))
    .map((name) => [name, checkCode(join(root, name), code, all)])
  const places = ['class a', 'class b', 'variable a::y', 'type b::d', 'data key a::x'].map((name) =>
    workspace.index.findPlaces(name),
  )
  return { problems, places, variables: workspace.findPlaces('variable', 'a::x') }
}

describe('an index', () => {
  it('equals a new one after any edits, as far as the texts are valid', () => {
    const edits = fc.array(fc.tuple(fc.nat(names.length - 1), fc.nat(3), fc.boolean()), { maxLength: 12 })
    fc.assert(
      fc.property(edits, (list) => {
        const root = scratchFolder('index')
        writeFiles(root, { ...base, ...Object.fromEntries(names.map((name) => [name, texts[name]![0]!])) })
        const workspace = new CodeWorkspace(root, { parsedFiles: 3 })
        survey(workspace, root)
        const last = new Map<string, string>()
        for (const [file, choice, isOpen] of list) {
          const name = names[file]!
          const text = texts[name]![choice % texts[name]!.length]!
          // A manifest with a syntax error keeps the names of its last valid text.
          if (text.endsWith('(')) continue
          last.set(name, text)
          if (isOpen) workspace.setText(join(root, name), text)
          else {
            workspace.setText(join(root, name), undefined)
            writeFiles(root, { [name]: text })
            workspace.change(join(root, name))
          }
          survey(workspace, root)
        }
        writeFiles(root, Object.fromEntries(last))
        expect(survey(workspace, root)).toEqual(survey(new CodeWorkspace(root), root))
      }),
      { numRuns: 30 },
    )
  })

  it('finds files that were created, changed and deleted on disk', () => {
    const root = scratchFolder('index')
    writeFiles(root, { ...base, 'modules/a/manifests/init.pp': 'class a { include b }' })
    const workspace = new CodeWorkspace(root)
    const find = (name: string) => workspace.index.findPlaces(getPlaceName('class', name)).map(({ line }) => line)
    expect([find('a'), find('b')]).toEqual([[0], [0]])
    writeFiles(root, {
      'modules/a/manifests/b.pp': '\nclass a::b { include b }',
      'modules/a/manifests/init.pp': '\n\nclass a { }',
    })
    runToEnd(workspace.index.update())
    expect([find('a'), find('b'), find('a::b')]).toEqual([[2], [1], [1]])
    rmSync(join(root, 'modules/a/manifests/b.pp'))
    runToEnd(workspace.index.update())
    expect([find('a'), find('b'), find('a::b')]).toEqual([[2], [], []])
  })

  it('keeps the names of the last valid text', () => {
    const root = scratchFolder('index')
    writeFiles(root, { ...base, 'modules/a/manifests/init.pp': 'class a { }' })
    const workspace = new CodeWorkspace(root)
    const path = join(root, 'modules/a/manifests/init.pp')
    workspace.setText(path, 'class a { include b }')
    expect(workspace.index.findPlaces('class b')).toEqual([{ path, line: 0, start: 18, end: 19, isDefinition: false }])
    workspace.setText(path, 'class a { include b')
    expect(workspace.index.findPlaces('class b')).toHaveLength(1)
    workspace.setText(path, 'class a { }')
    expect(workspace.index.findPlaces('class b')).toEqual([])
  })
})
