import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('code-impact')
const vardir = join(folder, 'var')
const places = ['--confdir', join(folder, 'etc'), '--vardir', vardir]
const site = "node /^web/ { include web }\nnode default { notify { 'hello': } }\n"
const web = (text: string) => `class web { file { '/etc/web': content => "${text}\${facts['secret_fact']}\\n" } }\n`

describe('plumb code impact', () => {
  let code: ControlRepository
  const impact = (...words: string[]) => runHere(['code', 'impact', ...words, '--repo', code.bare, ...places])

  beforeAll(() => {
    code = controlRepository({ 'manifests/site.pp': site, 'modules/web/manifests/init.pp': web('one\\n') })
    code.push({ 'modules/web/manifests/init.pp': web('two\\n') }, 'feature')
    code.push({ 'modules/web/manifests/init.pp': 'class web { include nowhere }\n' }, 'broken')
    code.git('checkout', '--quiet', 'production')
    code.push({ 'manifests/site.pp': `${site}# later\n` })
    const facts = join(vardir, 'server_data', 'facts')
    mkdirSync(facts, { recursive: true })
    for (const node of ['web1', 'web2', 'db1'])
      writeFileSync(join(facts, `${node}.json`), JSON.stringify({ name: node, values: { secret_fact: `of ${node}` } }))
    mkdirSync(join(folder, 'etc', 'ssl', 'private_keys'), { recursive: true })
  })

  it('tells what a branch does to all nodes that are known, from where it began', async () => {
    const { status, out, err } = await impact('feature')
    expect([status, err]).toEqual([0, ''])
    expect(out.split('\n')).toEqual([
      '~ 1 node: web1 (0 added, 0 removed, 1 changed)',
      '    ~ File[/etc/web]: content',
      '~ 1 node: web2 (0 added, 0 removed, 1 changed)',
      '    ~ File[/etc/web]: content',
      '3 nodes: 2 would change, in 2 ways; 0 would fail; 1 unaffected',
      '',
    ])
    expect((await impact('production...feature')).out).toBe(out)
  })

  it('answers in its exit status what happens', async () => {
    const broken = await impact('production..broken')
    expect([broken.status, broken.out]).toEqual([
      1,
      expect.stringContaining('Catalog compilation would fail on 2 nodes: web1, web2\n'),
    ])
    expect(broken.out).toContain(
      '!   Evaluation Error: Error while evaluating a Function Call, Could not find class ::nowhere (file: modules/web/manifests/init.pp, line: 1, column: 13)\n',
    )
    expect((await impact('production..broken', '--detailed-exitcodes')).status).toBe(4)
    expect((await impact('feature', '--detailed-exitcodes')).status).toBe(2)
    expect((await impact('production..production', '--detailed-exitcodes')).status).toBe(0)
  })

  it('is asked for some nodes, in all forms', async () => {
    const one = await impact('feature', '--node', 'web2')
    expect(one.out).toContain('~ 1 node: web2')
    expect(one.out).toContain('          -one\n          +two\n')
    const json = JSON.parse((await impact('feature', '--nodes', 'web?', '--render-as', 'json')).out)
    expect(json.counts).toMatchObject({ changed: 2, unaffected: 0 })
    expect((await impact('feature', '--render-as', 'markdown')).out).toMatch(/^### Impact on `production`: /)
    expect((await impact('feature', '--render-as', 'html')).out).toMatch(/^<!doctype html>\n/)
    const list = join(folder, 'list')
    writeFileSync(list, 'db1\n')
    expect((await impact('feature', '--node-list', list)).out).toBe(
      '1 node: 0 would change; 0 would fail; 1 unaffected\n',
    )
  })

  it('keeps traces of its own, and none in the clear', async () => {
    await impact('production..feature')
    const kept = readdirSync(join(vardir, 'server_data', 'impact', 'traces', 'production'))
    expect(kept).toContain('web1.trace')
    expect(kept).toContain('web1.trace-ahead')
    expect(readdirSync(join(vardir, 'server_data'))).not.toContain('traces')
  })

  it('refuses what is no range, no node, no time, and histories of nothing in common', async () => {
    for (const range of ['a..', '..a', 'a..b..c', '.', 'a....b', '']) {
      const { status, err } = await impact(range)
      expect([range, status, err]).toEqual([
        range,
        1,
        expect.stringMatching(/is not a range of commits|is not a commit/),
      ])
    }
    expect((await impact('feature', '--nodes', 'nobody*')).err).toContain("that match 'nobody*'")
    expect((await impact('feature', '--node', '../x')).status).toBe(1)
    expect((await impact('feature', '--time-limit', 'soon')).err).toContain("not 'soon'")
    expect((await impact('feature', '--time-limit', '0')).out).toContain('? Not checked: db1, web1, web2\n')
    code.git('checkout', '--quiet', '--orphan', 'alien')
    code.push({ 'manifests/site.pp': '' }, 'alien')
    expect((await impact('alien')).err).toContain("'production' and 'alien' have no commit in common")
  })
})
