import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('json')
const path = (name: string) => join(folder, name)
writeFileSync(path('several.pp'), '$a = "x\\q"\n$a[1] = 2\n$b[1] = 3\n')
writeFileSync(path('odd.pp'), '$a = "x\\q"\n')
writeFileSync(path('a.epp'), '<% $a[1] = 2 %>\n')

const places = ['--confdir', folder, '--vardir', folder, '--certname', 'n.example']
const plumb = (words: readonly string[]) => runHere([...words, '--render-as', 'json', ...places])

const odd = (file: string) => ({
  code: 'UNRECOGNIZED_ESCAPE',
  severity: 'warning',
  message: "Unrecognized escape sequence '\\q'",
  hint: null,
  span: { file, line: 1, column: 11, end_line: 1, end_column: 11 },
})
const unassignable = (file: string, line: number, column: number, length: number) => ({
  code: 'ILLEGAL_INDEXED_ASSIGNMENT',
  severity: 'error',
  message: 'Illegal attempt to assign via [index/key]. Not an assignable reference',
  hint: null,
  span: { file, line, column, end_line: line, end_column: column + length },
})

describe('--render-as json', () => {
  it('gives all that parser validate has to say', async () => {
    const { status, out, err } = await plumb(['parser', 'validate', folder])
    expect([status, err]).toEqual([1, ''])
    const file = path('several.pp')
    expect(JSON.parse(out)).toMatchObject({
      [path('odd.pp')]: { diagnostics: [odd(path('odd.pp'))] },
      [file]: {
        message: 'Language validation logged 2 errors. Giving up',
        diagnostics: [odd(file), unassignable(file, 2, 1, 5), unassignable(file, 3, 1, 5)],
      },
    })
  })

  it('gives what is wrong with a template', async () => {
    const { status, out } = await plumb(['epp', 'validate', path('a.epp')])
    expect(status).toBe(1)
    expect(JSON.parse(out)).toEqual({ [path('a.epp')]: { diagnostics: [unassignable(path('a.epp'), 1, 4, 5)] } })
  })

  it('gives what stops a catalog, with a hint', async () => {
    const { status, out, err } = await plumb(['catalog', 'compile', '--code', 'notcie(1)'])
    expect([status, err]).toEqual([1, ''])
    expect(JSON.parse(out)).toEqual({
      diagnostics: [
        {
          code: 'UNKNOWN_FUNCTION',
          severity: 'error',
          message: "Evaluation Error: Unknown function: 'notcie'.",
          hint: "Did you mean 'notice'?",
          span: { file: null, line: 1, column: 1, end_line: 1, end_column: 10 },
        },
      ],
    })
  })
})
