// What `plumb apply` tells stores and servers, beside real `puppet apply` with PuppetDB's termini.

import { describe, expect, it } from 'vitest'
import { without } from '../support/needs.ts'

import { apply, manifest, masterless, other, refuse, told } from './masterless-runs.ts'

const missing = without('real Puppet 7.23', 'puppet-terminus-puppetdb')
const moments = /^(?:.*_)?(?:timestamp|time|uuid|version)$/

/** A payload without times, chance and what facts are. */
function comparable(value: unknown, key = ''): unknown {
  if (moments.test(key)) return typeof value
  if (key === 'message' && typeof value === 'string') return value.replace(/[\d.]+ seconds/, 'n seconds')
  if (key === 'tags') return [...(value as string[])].sort()
  // Puppet's node has no name there.
  if (key === 'values') return Object.keys((value as { trusted: object }).trusted)
  // Values are times, and Puppet has resources of its own: schedules, a filebucket.
  if (key === 'metrics') return (value as { category: string }[]).map(({ category }) => category).includes('resources')
  if (Array.isArray(value)) return value.map((each) => comparable(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each, name)]))
}

const bodies = () => told().map(({ text, ...rest }) => ({ ...rest, payload: comparable(JSON.parse(text)) }))

describe.skipIf(missing)(`what is told without a server, beside real Puppet${missing}`, () => {
  it.each<[string, readonly string[], string]>([
    ['facts, catalog and report', ['--reports', 'puppetdb'], masterless],
    ['noop', ['--reports', 'puppetdb', '--noop'], masterless],
    ['no report', ['--no-report'], masterless],
    ['nothing but a report', ['--reports', 'puppetdb'], ''],
  ])('%s', async (_, words, routes) => {
    const seen = []
    for (const who of ['puppet', 'plumb'] as const) {
      other.seen.length = 0
      // The messages of noop changes differ between Puppet 7 and 8.
      const version = who === 'plumb' && words.includes('--noop') ? ['--compatibility', 'puppet7'] : []
      const { status } = await apply(who, [...words, ...version, manifest], routes)
      seen.push({ status, told: bodies() })
    }
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]!.told.length).toBeGreaterThan(0)
  })

  it.each<[string, readonly string[]]>([
    ['replace_facts', []],
    ['replace_catalog', []],
    ['store_report', ['--reports', 'puppetdb,store']],
    ['/upload', ['--reports', 'http,store', '--reporturl']],
  ])('%s refused', async (what, words) => {
    refuse(what)
    const url = words.includes('--reporturl') ? [`${other.url}/upload`] : []
    const seen = []
    for (const who of ['puppet', 'plumb'] as const) {
      other.seen.length = 0
      const { status, out, err } = await apply(who, [...words, ...url, manifest], masterless)
      seen.push({
        status,
        told: told().map(({ method, pathname, command }) => [method, pathname, command]),
        isApplied: out.includes("Notify[x]/message: defined 'message'"),
        said: /(?:Report processor failed|Unable to submit report to .*)/.exec(err)?.[0],
      })
    }
    expect(seen[1]).toEqual(seen[0])
  })
})
