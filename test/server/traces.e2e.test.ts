import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecallOptions } from '../../src/compiler/recall/recall-settings.ts'
import { readTrace, writeTrace } from '../../src/compiler/recall/trace-file.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb } from '../support/plumb.ts'
import { type Serving, serve } from './serving.ts'

const site = `
node default {
  notify { "family \${facts['os']['family']}": }
  notify { 'looked up': message => lookup('greeting') }
  file { '/etc/demo': ensure => directory, recurse => true, source => 'puppet:///modules/demo' }
}
`
const files = {
  'manifests/site.pp': site,
  'hiera.yaml': 'version: 5\nhierarchy: [{ name: all, path: common.yaml }]\n',
  'data/common.yaml': 'greeting: hello\nother: 1\n',
  'modules/demo/files/deep/a.txt': 'a',
}

/** What is compiled ahead would mend what is torn here. */
const alone = { compile_ahead_workers: '0' }

let repository: ControlRepository
let serving: Serving
let identity: { readonly key: string; readonly cert: string } | undefined
beforeEach(() => {
  repository = controlRepository(files)
  identity = undefined
})
afterEach(() => serving?.stop())

/** How a node's catalog came about, and the catalog. */
async function catalog(facts: object = { os: { family: 'Debian' }, uptime: 1 }, encoding = 'identity') {
  const document = JSON.stringify({ name: 'a.test', values: facts, timestamp: '2026-11-23', expiration: '2027-11-23' })
  const body = new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(document), environment: 'production' },
    ...{ static_catalog: 'true', checksum_type: 'sha256' },
  })
  // One server after the other has the same authority.
  identity ??= await serving.credentials('a.test')
  const answer = await serving.call('POST', '/puppet/v3/catalog/a.test', {
    credentials: identity,
    headers: {
      accept: 'application/vnd.puppet.rich+json',
      'accept-encoding': encoding,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: body.toString(),
  })
  const { status, headers } = answer
  const isPacked = headers['content-encoding'] === 'gzip'
  const text = isPacked ? gunzipSync(answer.bytes).toString() : answer.text
  expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)])
  return { origin: headers['x-plumb-catalog'], text, catalog: JSON.parse(text), isPacked }
}

function auditSegment({ settings }: Serving): string {
  return readdirSync(join(settings.vardir, 'audit'))
    .filter((name) => !name.startsWith('.'))
    .sort()
    .at(-1)!
}

async function push(changed: Readonly<Record<string, string>>): Promise<string> {
  const commit = repository.push(changed)
  await serving.server.reload()
  return commit
}

/** Another text in the catalog of a trace, as if it had been kept so. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const options = await createRecallOptions(serving.settings, '0.0.0', localSystem.files)
  const trace = readTrace(path, options!.key)!
  const rest = Buffer.from(Buffer.from(trace.catalog.text.rest).toString('latin1').replaceAll(from, to), 'latin1')
  writeTrace(path, { ...trace, catalog: { ...trace.catalog, text: { ...trace.catalog.text, rest } } }, options!.key)
}

describe('a catalog of which nothing that it read has changed', () => {
  it('is answered without compiling, for the commit of now', async () => {
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '0' })
    const first = await catalog()
    expect(first.origin).toBe('compiled')
    expect(await catalog()).toEqual({ ...first, origin: 'recalled' })
    const commit = await push({ 'README.md': 'Nobody reads it.', 'data/common.yaml': 'greeting: hello\nother: 2\n' })
    const next = await catalog({ os: { family: 'Debian' }, uptime: 2 })
    expect([next.origin, next.catalog.code_id]).toEqual(['recalled', commit])
    const { vardir, confdir } = serving.settings
    await serving.stop()
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_traces: 'false', vardir, confdir })
    const compiled = await catalog()
    expect(compiled.origin).toBe('compiled')
    expect(compiled.text).toBe(next.text)
  })

  it('is the same compressed, whatever commit it is for', async () => {
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '0' })
    await catalog()
    for (const readme of ['One.', 'Two.']) {
      await push({ 'README.md': readme })
      const plain = await catalog()
      const packed = await catalog(undefined, 'gzip')
      expect(packed).toEqual({ ...plain, isPacked: true })
      expect(await catalog(undefined, 'gzip')).toEqual(packed)
    }
  })

  it('is kept as it was sent, where catalogs are kept, and signed over its text', async () => {
    serving = await serve({
      code_repo: repository.bare,
      ...alone,
      catalog_trace_checks: '0',
      catalog_cache_terminus: 'json',
    })
    await catalog()
    const packed = await catalog(undefined, 'gzip')
    expect([packed.origin, packed.isPacked]).toEqual(['recalled', true])
    const kept = readFileSync(join(serving.settings.vardir, 'server_data/catalog/a.test.json'), 'utf8')
    expect(kept).toBe(packed.text)
    const [last] = readFileSync(join(serving.settings.vardir, 'audit', auditSegment(serving)), 'utf8')
      .trim()
      .split('\n')
      .slice(-1)
    expect(last).toContain(createHash('sha256').update(packed.text).digest('hex'))
  })

  it.each<[string, Readonly<Record<string, string>>, object?]>([
    ['a fact', {}, { os: { family: 'RedHat' } }],
    ['a manifest', { 'manifests/site.pp': `${site}\nnotify { 'more': }` }],
    ['a key of data', { 'data/common.yaml': 'greeting: good day\n' }],
    ['the content of a file', { 'modules/demo/files/deep/a.txt': 'b' }],
    ['a file in a folder', { 'modules/demo/files/deep/b.txt': 'b' }],
    ['a function that nobody calls', { 'modules/demo/lib/puppet/functions/lookup.rb': '# not ours' }],
  ])('and a change of %s', async (what, changed, facts) => {
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '0' })
    await catalog()
    await push(changed)
    const { origin, catalog: made } = await catalog(facts)
    expect(origin).toBe(what === 'a function that nobody calls' ? 'recalled' : 'compiled')
    expect(made.resources.length).toBeGreaterThan(3)
  })

  it('is the same after a restart, and compiled where its file is torn', async () => {
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '0' })
    const { text } = await catalog()
    const { vardir, confdir } = serving.settings
    await serving.stop()
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '0', vardir, confdir })
    expect(await catalog()).toMatchObject({ origin: 'recalled', text })
    await serving.stop()
    const file = join(vardir, 'server_data/traces/production/a.test.trace')
    expect(readFileSync(file, 'latin1')).not.toContain('hello')
    writeFileSync(file, readFileSync(file).subarray(0, 2000))
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '0', vardir, confdir })
    expect(await catalog()).toMatchObject({ origin: 'compiled', text })
  })

  it('is compiled by the way and compared; a difference ends recalling until somebody says so', async () => {
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '1' })
    const { text } = await catalog()
    expect(await catalog()).toMatchObject({ origin: 'compiled', text })
    const { vardir, confdir } = serving.settings
    await serving.stop()
    const folder = join(vardir, 'server_data/traces/production')
    await edit(join(folder, 'a.test.trace'), 'hello', 'HELLO')
    serving = await serve({ ...alone, code_repo: repository.bare, catalog_trace_checks: '1', vardir, confdir })
    expect(await catalog()).toMatchObject({ origin: 'compiled', text })
    expect(readFileSync(join(folder, 'a.test.recalled.json'), 'utf8')).toContain('HELLO')
    expect(readFileSync(join(folder, 'a.test.compiled.json'), 'utf8')).toBe(text)
    expect(serving.log.join()).toContain('The recalled catalog of a.test differs from the compiled catalog')
    expect(await catalog()).toMatchObject({ origin: 'compiled' })
    const places = ['--confdir', confdir, '--vardir', vardir]
    expect((await plumb(['code', 'traces', ...places])).stdout).toMatch(
      /^production: off\. The recalled catalog of a\.test/,
    )
    expect((await plumb(['code', 'traces', '--on', 'production', ...places])).exitCode).toBe(0)
    expect(existsSync(folder)).toBe(false)
    await catalog()
    const { stdout } = await plumb(['code', 'traces', '--render-as', 'json', ...places])
    expect(JSON.parse(String(stdout))).toMatchObject([{ environment: 'production', nodes: 1 }])
    expect((await plumb(['code', 'traces', '--on', '../..', ...places])).exitCode).toBe(1)
  })
})
