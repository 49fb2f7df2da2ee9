import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runCommandLine } from '../../../src/cli/program.ts'
import { noModules } from '../../support/real-puppet.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const folder = scratchFolder('report')

const manifest = `
  class c { exec { '/bin/true': } service { 'x': ensure => running, provider => 'launchd' } }
  include c
  exec { '/bin/false': before => Exec['waits'] }
  exec { 'waits': command => '/bin/true' }
  exec { 'refreshed': command => '/bin/true', refreshonly => true, subscribe => Exec['/bin/true'] }
  exec { 'broken': command => '/bin/false', refreshonly => true, subscribe => Exec['/bin/true'] }
  exec { 'tagged': command => '/bin/true', noop => true }
  package { 'p': provider => 'macports', before => Exec['last'] }
  exec { 'last': command => '/bin/true', tag => 'x' }
  schedule { 'mine': period => daily }
  file { '${folder}': ensure => directory, owner => Sensitive('root') }`

interface Outcome {
  readonly status: string
  readonly transaction_completed: boolean
  readonly metrics: Record<string, { values: [string, string, number][] }>
  readonly resource_statuses: Record<string, Record<string, unknown> & { events: Record<string, unknown>[] }>
}

/** What two runs of one manifest have in common: no times, and the order of lists that Puppet keeps as sets. */
function comparable(file: string) {
  const text = readFileSync(file, 'utf8').replace(/^---.*\n/, '')
  const { status, transaction_completed, metrics, resource_statuses } = parse(text) as Outcome
  const counts = ['resources', 'changes', 'events'].map((name) => [
    name,
    Object.fromEntries((metrics[name]?.values ?? []).map(([key, , value]) => [key, value])),
  ])
  const statuses = Object.entries(resource_statuses)
    .filter(([reference]) => !/^(?:Schedule\[(?!mine)|Filebucket)/.test(reference))
    .map(([reference, { events, ...each }]) => {
      const { time: _, file: _f, line: _l, tags, evaluation_time, ...rest } = each
      const said = events.map(({ time: _t, ...event }) => event)
      return [
        reference,
        { ...rest, tags: [...(tags as string[])].sort(), timed: evaluation_time !== null, said },
      ] as const
    })
  return { status, transaction_completed, counts, statuses: Object.fromEntries(statuses) }
}

describe("a report is as real Puppet's", () => {
  it('in its states, counts and events', async () => {
    const places = (who: string) => ['--confdir', join(folder, who), '--vardir', join(folder, who)]
    const report = (who: string) => comparable(join(folder, who, 'state/last_run_report.yaml'))
    const words = ['apply', '--detailed-exitcodes', ...noModules, ...places('real'), '-e', manifest]
    const real = puppet.one('states, counts and events', words, () => {
      const { status } = spawnSync('puppet', words)
      return { status, report: report('real') }
    })
    const io = { stdin: process.stdin, color: false, out: () => {}, err: () => {} }
    const version = ['--compatibility', 'puppet7']
    const own = await runCommandLine(
      ['apply', '--detailed-exitcodes', ...version, ...places('own'), '-e', manifest],
      io,
    )
    expect(own).toBe(real.status)
    expect(report('own')).toEqual(real.report)
  })
  it('in its summary', async () => {
    const out: string[] = []
    const io = { stdin: process.stdin, color: false, out: (text: string) => void out.push(text), err: () => {} }
    const words = (who: string) => {
      const home = join(folder, `summary-${who}`)
      const code = "notify { 'x': } exec { '/bin/false': }"
      return ['apply', '--summarize', '--confdir', home, '--vardir', home, '-e', code]
    }
    await runCommandLine(words('own'), io)
    // Times and versions differ, Puppet has resources of its own, and what is equal it sorts by chance.
    const groups = (text: string) =>
      Object.fromEntries(
        text
          .slice(text.indexOf('Application:\n'))
          .split(/^(?=\w)/m)
          .map((group) => [group.split(':', 1)[0], group] as const)
          .map(([name, group]) => [
            name,
            name === 'Time'
              ? []
              : group
                  .replace(/(?:Total|Puppet):.*| *Config:.*\n/g, '')
                  .split('\n')
                  .sort(),
          ]),
      )
    const asked = [...words('real'), ...noModules, '--color', 'false']
    const real = puppet.one('summary', asked, () => groups(spawnSync('puppet', asked, { encoding: 'utf8' }).stdout))
    expect(groups(out.join(''))).toEqual(real)
    expect(out.join('')).toMatch(/^Time:\n(?: +[A-Z][a-z ]+: \d+(?:\.\d\d)?\n)+ +Total: \d+\.\d\d\n/m)
  })
})
