import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const plumb = (line: string) => runHere(line === '' ? [] : line.split(' '))

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
    ['config print --nonsense', 2, /unknown option '--nonsense'\nSee 'plumb help config print'/],
    ['catalog compile --node ../etc --code 1', 1, /Invalid key for catalog: "\.\.\/etc"/],
    ['catalog diff a b --node ../etc', 1, /Invalid key for catalog: "\.\.\/etc"/],
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

  it("takes Puppet's old name of a setting", async () => {
    expect((await plumb('config print serverport --masterport 18140')).out).toBe('18140\n')
    expect((await plumb('config print masterport --serverport=18140')).out).toBe('18140\n')
  })

  it('warns of an unknown setting in puppet.conf, whatever it is to do', async () => {
    const confdir = scratchFolder('program')
    writeFileSync(join(confdir, 'puppet.conf'), '[main]\nservr = puppet.test\n')
    const { status, out, err } = await plumb(`config print server --confdir ${confdir}`)
    expect([status, out]).toEqual([0, 'puppet\n'])
    expect(err).toBe(
      `Warning: Unknown setting 'servr' in section [main] of ${confdir}/puppet.conf is ignored\n  Did you mean 'server'?\n`,
    )
  })
})
