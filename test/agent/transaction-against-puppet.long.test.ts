import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { plumb } from '../support/plumb.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('transaction')
const file = join(folder, 'f')
const manifest = `
exec { 'touch': command => '/bin/true' }
exec { 'r': command => '/bin/echo hi', refreshonly => true, subscribe => Exec['touch'] }
exec { 'bad': command => '/bin/sh -c "test -e ${folder}/flag"', refreshonly => true, subscribe => Exec['touch'] }
notify { 'after': require => Exec['bad'] }
file { '${file}': content => "x\n", require => Exec['touch'] }
class c { notify { 'in c': } }
define d { notify { "in \${title}": } }
include c
d { 'say "it"': before => Class['c'] }
Class['c'] -> Notify['n']
notify { 'n': }
`

/** What is said of a circle under `--graph`, and its graph. */
async function circle(who: 'puppet' | 'plumb') {
  const place = join(folder, `${who}-circle`)
  const places = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--color', 'false']
  const code = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }"
  const all = ['apply', ...places, '--modulepath', join(place, 'modules'), '--graph', '-e', code]
  const { stderr } = who === 'puppet' ? spawnSync('puppet', all, { encoding: 'utf8' }) : await plumb(all)
  // Puppet writes a backslash and an n where it means the end of a line.
  const lines = String(stderr).replaceAll('\\n', '\n').replace(/^ +/gm, '')
  const found = [...lines.matchAll(/Error: Found 1 dependency cycle:\n.*\n.*/g)].at(-1)?.[0]
  const graph = readFileSync(join(place, 'var/state/graphs/cycles.dot'), 'utf8')
  return { found: found?.replaceAll(place, 'PLACE'), graph }
}

/** Two runs, between which somebody meddles; what they said without times, and the graphs of the last. */
async function runs(who: 'puppet' | 'plumb') {
  const place = join(folder, who)
  const places = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--color', 'false']
  const words = ['apply', ...places, '--modulepath', join(place, 'modules'), '--verbose', '--evaltrace', '--graph']
  rmSync(file, { force: true })
  const said: string[] = []
  for (const _ of [1, 2]) {
    const all = [...words, '-e', manifest]
    const { stdout, stderr } = who === 'puppet' ? spawnSync('puppet', all, { encoding: 'utf8' }) : await plumb(all)
    said.push(String(stdout), String(stderr))
    writeFileSync(file, 'y\n')
  }
  const lines = said
    .join('\n')
    .replace(/\d+\.\d+ seconds/g, 'T seconds')
    .replace(/version '\d+'/g, "version 'V'")
    .replaceAll(place, 'PLACE')
    .split('\n')
    .filter((line) => line !== '' && !/Facter|Loading facts|^ {2,}|Compiled catalog/.test(line))
  const graph = (name: string) => readFileSync(join(place, 'var/state/graphs', `${name}.dot`), 'utf8')
  return { lines, graphs: ['resources', 'relationships', 'expanded_relationships'].map(graph) }
}

describe.skipIf(!hasPuppet)(`a transaction is as real Puppet's${withoutPuppet}`, () => {
  let real: Awaited<ReturnType<typeof runs>>
  let own: Awaited<ReturnType<typeof runs>>
  beforeAll(async () => {
    real = await runs('puppet')
    own = await runs('plumb')
  }, 120_000)

  it('in what it says under evaltrace, a second run of apply included, which calls nothing corrective', () => {
    expect(own.lines).toEqual(real.lines)
    expect(own.lines.join('\n')).toContain('Exec[touch]: Starting to evaluate the resource (5 of ')
  })

  it('in its graphs', async () => {
    expect(own.graphs).toEqual(real.graphs)
    expect(await circle('plumb')).toEqual(await circle('puppet'))
    expect(own.graphs[2]).toContain('"Whit[Completed_d[say \\"it\\"]]"')
  })
})
