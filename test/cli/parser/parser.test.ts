import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordedRuns } from '../../support/puppet-runs.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const folder = scratchFolder('parser')
const files = {
  'right.pp': 'notice(1)\n',
  'syntax.pp': 'class a {\n  $x =\n}\n',
  'one.pp': "'x'\nnotice 1\n",
  'two.pp': '1\n$a[1] = 2\nnotice 1\n',
  'odd.pp': 'notice "a\\q"\n',
  'end.pp': 'if',
  'right.epp': '<%- | $x | -%>\na <%= $x %>\n',
  'tag.epp': 'a <% if',
  'idle.epp': '<% 1 %>b',
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
mkdirSync(join(folder, 'manifests/sub'), { recursive: true })
writeFileSync(join(folder, 'manifests/a.pp'), 'class a { }\n')
writeFileSync(join(folder, 'manifests/sub/b.pp'), 'class b {\n')
const path = (name: string) => join(folder, name)

const plumb = (words: readonly string[], input = '') =>
  runHere([...words, '--confdir', folder, '--vardir', folder], input)

const idle = 'This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding '
const forms = 'expressions may have the wrong form)'

describe('plumb parser validate', () => {
  it('says nothing of what is right', async () => {
    expect(await plumb(['parser', 'validate', path('right.pp')])).toEqual({ status: 0, out: '', err: '' })
    expect(await plumb(['parser', 'validate'], 'notice(1)')).toEqual({ status: 0, out: '', err: '' })
  })

  it.each([
    [
      'syntax.pp',
      `Could not parse for environment production: Syntax error at '}' (file: ${path('syntax.pp')}, line: 3, column: 1)`,
    ],
    ['end.pp', `Could not parse for environment production: Syntax error at end of input (file: ${path('end.pp')})`],
    [
      'manifests',
      `Could not parse for environment production: Syntax error at end of input (file: ${path('manifests/sub/b.pp')})`,
    ],
  ])('names the place in %s', async (name, message) => {
    expect(await plumb(['parser', 'validate', path(name)])).toEqual({ status: 1, out: '', err: `Error: ${message}\n` })
  })

  // Puppet: resource/type.rb, resource/type_collection.rb
  it.each([
    [
      'class one { }\nclass one { }\n',
      1,
      "Error: Class 'one' is already defined (line: 1); cannot redefine (line: 2)\n",
    ],
    [
      'node n { }\nclass n { }\n',
      1,
      "Error: Node 'n' is already defined (line: 1); cannot be redefined as a class (line: 2)\n",
    ],
    [
      'class a ($stage = undef, $x = 1) { }\ndefine d ($before = undef) { }\n',
      0,
      'Warning: stage is a metaparam; this value will inherit to all contained resources in the a definition\n' +
        'Warning: before is a metaparam; this value will inherit to all contained resources in the d definition\n',
    ],
    [
      'class a ($tag) { }\n',
      1,
      'Error: tag is a metaparameter; please choose another parameter name in the a definition\n',
    ],
  ])('checks the definitions of %j', async (text, status, err) => {
    expect(await plumb(['parser', 'validate'], text)).toEqual({ status, out: '', err })
  })

  it('says all errors of a file', async () => {
    const { status, err } = await plumb(['parser', 'validate', path('two.pp')])
    expect(status).toBe(1)
    expect(err).toBe(
      `Error: ${idle}${forms} (file: ${path('two.pp')}, line: 1, column: 1)\n` +
        `Error: Illegal attempt to assign via [index/key]. Not an assignable reference (file: ${path('two.pp')}, line: 2, column: 1)\n` +
        'Error: Language validation logged 2 errors. Giving up\n',
    )
  })

  it('warns without failing', async () => {
    const err = `Warning: Unrecognized escape sequence '\\q' (file: ${path('odd.pp')}, line: 1, column: 13)\n`
    expect(await plumb(['parser', 'validate', path('odd.pp')])).toEqual({ status: 0, out: '', err })
  })

  it('names missing files, after the errors of others', async () => {
    const { status, err } = await plumb(['parser', 'validate', path('none.pp'), path('end.pp')])
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Error: .*end of input.*\nError: One or more file\(s\) specified did not exist:\n {3}.*none.pp\n/,
    )
  })

  it('renders JSON', async () => {
    const { status, out } = await plumb(['parser', 'validate', '--render-as', 'json', path('syntax.pp')])
    expect(status).toBe(1)
    expect(JSON.parse(out)).toEqual({
      [path('syntax.pp')]: {
        issue_code: 'SYNTAX_ERROR',
        message: "Syntax error at '}'",
        full_message: `Could not parse for environment production: Syntax error at '}' (file: ${path('syntax.pp')}, line: 3, column: 1)`,
        file: path('syntax.pp'),
        line: 3,
        pos: 1,
        diagnostics: [
          {
            code: 'SYNTAX_ERROR',
            severity: 'error',
            message: "Syntax error at '}'",
            hint: null,
            span: { file: path('syntax.pp'), line: 3, column: 1, end_line: 3, end_column: 2 },
          },
        ],
      },
    })
  })
})

describe('plumb epp', () => {
  it('validates templates', async () => {
    expect(await plumb(['epp', 'validate', path('right.epp')])).toEqual({ status: 0, out: '', err: '' })
    const { status, err } = await plumb(['epp', 'validate', path('tag.epp'), path('idle.epp')])
    expect(status).toBe(1)
    expect(err).toBe(
      `Error: Unbalanced epp tag, reached <eof> without closing tag. (file: ${path('tag.epp')}, line: 1, column: 8)\n` +
        'Error: Errors while validating epp\n',
    )
  })

  it('goes on when told to', async () => {
    const { err } = await plumb(['epp', 'validate', '--continue_on_error', path('tag.epp'), path('idle.epp')])
    expect(err.split('\n').filter((line) => line.includes('line: 1'))).toHaveLength(2)
  })

  it('dumps templates', async () => {
    const { out } = await plumb(['epp', 'dump', '--format', 'pn', path('right.epp')])
    expect(out).toBe('(lambda {:params {:x {}} :body [(epp (render-s "a ") (render (var "x")) (render-s "\\n"))]})\n')
  })
})

describe('plumb parser dump', () => {
  it('takes code from the command line and from standard input', async () => {
    const out = '(invoke {:functor (qn "notice") :args [1]})\n'
    expect(await plumb(['parser', 'dump', '--format', 'pn', '-e', 'notice 1'])).toEqual({ status: 0, out, err: '' })
    expect(await plumb(['parser', 'dump', '--format', 'pn'], 'notice 1')).toEqual({ status: 0, out, err: '' })
  })

  it('refuses formats it has not', async () => {
    const { status, err } = await plumb(['parser', 'dump', '--format', 'xml', '-e', 'notice 1'])
    expect(status).toBe(1)
    expect(err).toContain("Unknown format 'xml'")
  })

  it('prints what puppet parser dump prints, by each of its options', async () => {
    const options = [
      '',
      '--format pn',
      '--format pn --pretty',
      '--format json',
      '--format json --pretty',
      '--validate --format pn',
    ]
    const dumped = ['right.pp', 'one.pp', 'syntax.pp', 'none.pp'].map(path)
    const wordsFor = (each: string) => ['parser', 'dump', ...each.split(' ').filter(Boolean), ...dumped]
    const own = ['--color=false', '--confdir', folder, '--vardir', folder]
    const commands = Object.fromEntries(options.map((each) => [each, [...wordsFor(each), ...own]] as const))
    for (const [each, { exitCode, stdout, stderr }] of Object.entries(recordedRuns(puppet, commands, files)))
      expect(await plumb(wordsFor(each)), each).toEqual({ status: exitCode, out: stdout, err: stderr })
  })
})
