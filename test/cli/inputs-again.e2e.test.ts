import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { type OutsideServers, openOutsideServers } from '../support/outside-servers.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('again')
const program = join(folder, 'program')
const inputs = join(folder, 'inputs.json')
const facts = join(folder, 'n.test.json')
writeFileSync(facts, '{"kernel":"Linux"}')
const own = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const one = ['--node', 'n.test', '--facts', facts]
let servers: OutsideServers
let settings: readonly string[]
const site = (port: number) => `
  notify { "addresses ${'$'}{site::addresses('db.test')}": }
  notify { "mail ${'$'}{site::mail('db.test')}": }
  notify { "page ${'$'}{loadjson('http://page.test:${port}/json', {})}": }
  notify { "lost ${'$'}{loadjson('http://page.test:${port}/broken', { 'no' => 'page' })}": }
  notify { "refused ${'$'}{loadyaml('http://elsewhere.test/', { 'no' => 'way' })}": }
  notify { "program ${'$'}{generate('${program}', 'a')}": }
`
const ruby = (name: string, body: string) => `Puppet::Functions.create_function(:'site::${name}') do
  dispatch(:run) { param 'String', :host }
  def run(host) = ${body}
end
`
const load = (format: string, read: string) => `module Puppet::Parser::Functions
  newfunction(:load${format}, type: :rvalue, arity: -2) do |args|
    require 'open-uri'
    begin
      ${read}(OpenURI.open_uri(args[0]))
    rescue StandardError
      args[1]
    end
  end
end
`
const functions = 'modules/site/lib/puppet/functions/site'
const legacy = 'modules/site/lib/puppet/parser/functions'

beforeAll(async () => {
  servers = await openOutsideServers()
  await servers.know({
    'db.test A': ['192.0.2.9', '192.0.2.1'],
    'db.test AAAA': ['20010db8000000000000000000000001'],
    'db.test MX': [{ preference: 10, exchange: 'mail.test' }],
    'page.test A': ['127.0.0.1'],
  })
  writeFileSync(program, '#!/bin/sh\necho "$1 $$"\n', { mode: 0o755 })
  settings = [
    ...['--external_lookups', 'dns,http', '--external_dns_names', '*.test', '--external_dns_servers', servers.dns],
    ...['--external_http_hosts', `page.test:${servers.port}`, '--external_http_addresses', '127.0.0.1'],
    ...['--generators', program],
  ]
})
afterAll(() => servers?.close())

describe('plumb catalog compile --inputs', () => {
  it('makes the same bytes again, with all who answered gone and other code on the branch', async () => {
    const repository = controlRepository({
      'manifests/site.pp': site(servers.port),
      [`${functions}/addresses.rb`]: ruby('addresses', 'Resolv.getaddresses(host).join(",")'),
      [`${functions}/mail.rb`]: ruby(
        'mail',
        'Resolv::DNS.new.getresources(host, Resolv::DNS::Resource::IN::MX).map { |each| each.exchange.to_s }.join',
      ),
      [`${legacy}/loadjson.rb`]: load('json', 'PSON.load'),
      [`${legacy}/loadyaml.rb`]: load('yaml', 'YAML.safe_load'),
    })
    const codeId = repository.git('rev-parse', 'HEAD')
    const compile = ['catalog', 'compile', ...own, ...one, '--repo', repository.bare]
    const live = await runHere([...compile, '--at', 'production', ...settings, '--save-inputs', inputs])
    expect(live.err).toBe('')
    expect(live.status).toBe(0)
    const titles = [...live.out.matchAll(/"title":"((?:addresses|mail|page|lost|refused|program) [^"]*)"/g)].map(
      ([, title]) => title,
    )
    expect(titles).toEqual([
      'addresses 2001:db8::1,192.0.2.1,192.0.2.9',
      'mail mail.test',
      'page {a => [1, {b => ä}]}',
      'lost {no => page}',
      'refused {no => way}',
      expect.stringMatching(/^program a \d+\\n$/),
    ])

    await servers.know({ 'db.test A': ['192.0.2.2'] })
    writeFileSync(program, '#!/bin/sh\nexit 1\n')
    repository.push({ 'manifests/site.pp': 'notify { "another": }\n' })
    const other = await runHere([...compile, '--at', codeId, ...settings])
    expect(other.out).not.toBe(live.out)
    await servers.close()
    servers = undefined!
    const again = await runHere([...compile, '--at', codeId, '--inputs', inputs])
    expect([again.status, again.err]).toEqual([0, ''])
    expect(again.out).toBe(live.out)

    const nodes = join(folder, 'nodes')
    writeFileSync(nodes, 'n.test\n')
    const many = ['catalog', 'compile', ...own, '--repo', repository.bare, '--at', codeId, '--facts-dir', folder]
    const fleet = await runHere([...many, '--nodes', nodes, '--inputs', inputs, '--output', join(folder, 'out')])
    expect([fleet.status, fleet.err]).toEqual([0, ''])
    expect(readFileSync(join(folder, 'out', 'n.test.json'), 'utf8')).toBe(live.out.trimEnd())

    const none = join(folder, 'none.json')
    writeFileSync(none, '{"inputs":[]}')
    const missing = await runHere([...compile, '--at', codeId, '--inputs', none])
    expect([missing.status, missing.out]).toEqual([1, ''])
    expect(missing.err).toContain('has no answer to {"dns":{"name":"db.test","type":"AAAA"}}')
  })
})
