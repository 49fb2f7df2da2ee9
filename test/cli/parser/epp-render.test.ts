import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('epp')
mkdirSync(join(folder, 'modules/m/templates'), { recursive: true })
const files = {
  'modules/m/templates/a.epp': '<%- | Integer $x, $y = 2 | -%>\n<%= $x + $y %> on <%= $facts["os"] %>\n',
  'b.epp': 'b\n',
  'values.pp': '$greeted = "all"\nundef\n',
  'values.yaml': 'x: 5\ny: 6\n',
  'facts.json': '{"os": "Debian"}',
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
const path = (name: string) => join(folder, name)

const given = ['--confdir', folder, '--vardir', folder, '--basemodulepath', path('modules')]
const plumb = (words: readonly string[], input = '') => runHere(['epp', 'render', ...words, ...given], input)

describe('plumb epp render', () => {
  it.each([
    [['m/a.epp', '--values', '{x => 1}', '--facts', path('facts.json')], '3 on Debian\n'],
    [
      ['m/a.epp', '--values_file', path('values.yaml'), '--values', '{x => 1}', '--facts', path('facts.json')],
      '7 on Debian\n',
    ],
    [[path('b.epp')], 'b\n'],
    [['-e', 'hello <%= $greeted %>', '--values_file', path('values.pp')], 'hello all'],
    [['-e', '<%= Sensitive($s) %>', '--values', '{s => "x"}'], 'x'],
  ])('%j', async (words, out) => {
    expect(await plumb(words)).toEqual({ status: 0, out, err: '' })
  })

  it('reads standard input', async () => {
    expect((await plumb([], '<%= 1 + 1 %>')).out).toBe('2')
  })

  it('names each of several templates, and says which could not be rendered', async () => {
    const { status, out, err } = await plumb([path('b.epp'), 'm/a.epp', path('b.epp')])
    expect(status).toBe(1)
    expect(out).toBe(`--- ${path('b.epp')}\nb\n\n--- ${path('b.epp')}\nb\n`)
    expect(err).toContain("expects a value for parameter 'x'")
    expect(err).toContain('error while rendering epp')
  })
})
