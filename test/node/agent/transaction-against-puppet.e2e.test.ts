import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
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

const placesOf = (place: string) => [
  '--confdir',
  join(place, 'etc'),
  '--vardir',
  join(place, 'var'),
  '--color',
  'false',
]
const wordsOf = (place: string, ...words: readonly string[]) => [
  ...['apply', ...placesOf(place), '--modulepath', join(place, 'modules')],
  ...words,
]

const puppetCircle = join(folder, 'puppet-circle')
const plumbCircle = join(folder, 'plumb-circle')
const circleWords = (place: string) =>
  wordsOf(place, '--graph', '-e', "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }")

/** The error about a circle under `--graph`, and its graph. */
function circleIn(place: string, err: string) {
  // Puppet writes a backslash and an n where it means the end of a line.
  const lines = err.replaceAll('\\n', '\n').replace(/^ +/gm, '')
  const found = [...lines.matchAll(/Error: Found 1 dependency cycle:\n.*\n.*/g)].at(-1)?.[0]
  const graph = readFileSync(join(place, 'var/state/graphs/cycles.dot'), 'utf8')
  return { found: found?.replaceAll(place, 'PLACE'), graph }
}

const runWords = (place: string) => wordsOf(place, '--verbose', '--evaltrace', '--graph', '-e', manifest)

/** The lines of two runs, between which somebody meddles, without times, and the graphs of the last. */
function runsIn(place: string, said: readonly string[]) {
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

async function ownRuns() {
  rmSync(file, { force: true })
  const said: string[] = []
  const place = join(folder, 'plumb')
  for (const _ of [1, 2]) {
    const { out, err } = await runHere(runWords(place))
    said.push(out, err)
    writeFileSync(file, 'y\n')
  }
  return runsIn(place, said)
}

function realRuns() {
  rmSync(file, { force: true })
  const place = join(folder, 'puppet')
  const said = [1, 2].flatMap(() => {
    const { stdout, stderr } = spawnSync('puppet', runWords(place), { encoding: 'utf8' })
    writeFileSync(file, 'y\n')
    return [stdout, stderr]
  })
  return runsIn(place, said)
}

describe("a transaction is as real Puppet's", () => {
  let real: ReturnType<typeof realRuns>
  let own: ReturnType<typeof realRuns>
  beforeAll(async () => {
    real = puppet.one('runs', runWords('PLACE'), realRuns)
    own = await ownRuns()
  })

  it('in what it says under evaltrace, a second run of apply included, which calls nothing corrective', () => {
    expect(own.lines).toEqual(real.lines)
    expect(own.lines.join('\n')).toContain('Exec[touch]: Starting to evaluate the resource (5 of ')
  })

  it('in its graphs', async () => {
    expect(own.graphs).toEqual(real.graphs)
    const realCircle = puppet.one('a circle', circleWords('PLACE'), () => {
      const { stderr } = spawnSync('puppet', circleWords(puppetCircle), { encoding: 'utf8' })
      return circleIn(puppetCircle, stderr)
    })
    expect(circleIn(plumbCircle, (await runHere(circleWords(plumbCircle))).err)).toEqual(realCircle)
    expect(own.graphs[2]).toContain('"Whit[Completed_d[say \\"it\\"]]"')
  })
})
