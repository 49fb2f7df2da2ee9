import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('script')
mkdirSync(join(folder, 'modules/m/functions'), { recursive: true })
writeFileSync(join(folder, 'modules/m/functions/twice.pp'), 'function m::twice(Integer $n) { $n * 2 }\n')
writeFileSync(join(folder, 'a.pp'), 'notice(m::twice(21))\nwarning("careful")\ninfo("quiet")\n')
writeFileSync(join(folder, 'b.pp'), 'notice("b")\n')
const path = (name: string) => join(folder, name)

const given = ['--confdir', folder, '--vardir', folder, '--certname', 'n.example', '--modulepath', path('modules')]
const plumb = (words: readonly string[], input = '') => runHere(['script', ...words, ...given], input)

const said = 'Notice: Scope(Class[main]): '

describe('plumb script', () => {
  it('runs a manifest with the functions of modules', async () => {
    expect(await plumb([path('a.pp')])).toEqual({
      status: 0,
      out: `${said}42\n`,
      err: 'Warning: Scope(Class[main]): careful\n',
    })
  })

  it('runs code given in place, and standard input', async () => {
    expect(await plumb(['-e', 'notice($trusted["certname"], $facts["kernel"])'])).toMatchObject({ status: 0, err: '' })
    expect(await plumb([], 'notice(1 + 1)')).toMatchObject({ status: 0, out: `${said}2\n` })
  })

  it('says more when asked to', async () => {
    expect((await plumb([path('a.pp'), '--verbose'])).out).toContain('Info: Scope(Class[main]): quiet\n')
  })

  it('runs the first of several files', async () => {
    const { status, out, err } = await plumb([path('b.pp'), path('a.pp')])
    expect([status, out]).toEqual([0, `${said}b\n`])
    expect(err).toBe(`Warning: Only one file can be used per run. Skipping ${path('a.pp')}\n`)
  })

  it.each([
    ['file { "/x": }', 'A Resource Statement is only available when compiling a catalog (line: 1, column: 1)'],
    ['class c { }', 'A Host Class Definition is only available when compiling a catalog (line: 1, column: 1)'],
  ])('has no catalog: %s', async (code, message) => {
    const { status, err } = await plumb(['-e', code])
    expect([status, err]).toEqual([
      1,
      `Error: Could not parse for environment production: ${message} on node n.example\n`,
    ])
  })

  it('keeps what was said before an error', async () => {
    expect(await plumb(['-e', 'notice("first") include c'])).toEqual({
      status: 1,
      out: `${said}first\n`,
      err: "Error: Evaluation Error: Error while evaluating a Function Call, The catalog operation 'include' is only available when compiling a catalog (line: 1, column: 17) on node n.example\n",
    })
  })

  it('refuses a file that is not there', async () => {
    expect(await plumb([path('c.pp')])).toMatchObject({
      status: 1,
      err: `Error: Could not find file ${path('c.pp')}\n`,
    })
  })
})
