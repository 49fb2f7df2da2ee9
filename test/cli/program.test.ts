import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/program.ts'

async function plumb(line: string): Promise<{ status: number; out: string; err: string }> {
  const out: string[] = []
  const err: string[] = []
  const io = {
    stdin: new PassThrough(),
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    color: false,
  }
  const status = await run(line === '' ? [] : line.split(' '), io)
  return { status, out: out.join(''), err: err.join('') }
}

describe('plumb', () => {
  it('lists its commands', async () => {
    const { status, out } = await plumb('')
    expect(status).toBe(0)
    expect(out).toMatch(/^Usage: plumb <command>/)
    expect(out).toMatch(/^ {2}config +\w/m)
  })

  it.each([
    ['confg', 1, /Unknown Puppet subcommand 'confg'\n {2}Did you mean 'config'\?/],
    ['config prnt', 2, /Did you mean print/],
    ['config print --nonsense', 2, /unknown option '--nonsense'/],
    ['config print certnme', 1, /Could not find setting 'certnme'/],
    ['config print certname --runinterval soon', 1, /Invalid value 'soon'[\s\S]*length of time/],
  ])('%s fails with %i and a hint', async (line, status, message) => {
    const answer = await plumb(line)
    expect(answer.err).toMatch(message)
    expect(answer.status).toBe(status)
  })

  it('prints settings as text and as JSON', async () => {
    expect((await plumb('config print certname --certname a.test')).out).toBe('a.test\n')
    expect((await plumb('config print server certname --certname a.test --server b.test')).out).toBe(
      'server = b.test\ncertname = a.test\n',
    )
    expect(JSON.parse((await plumb('config print noop --render-as json --noop')).out)).toEqual({ noop: 'true' })
  })
})
