import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { type OutsideServers, openOutsideServers } from '../support/outside-servers.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const folder = scratchFolder('outside-inputs')
const program = join(folder, 'program')
let outside: OutsideServers
let serving: Serving
let repository: ReturnType<typeof controlRepository>

beforeAll(async () => {
  outside = await openOutsideServers()
  await outside.know({ 'db.test A': ['192.0.2.9', '192.0.2.1'], 'page.test A': ['127.0.0.1'] })
  writeFileSync(program, '#!/bin/sh\necho "$1 $$"\n', { mode: 0o755 })
  const ruby = (name: string, body: string) => `Puppet::Functions.create_function(:'site::${name}') do
  dispatch(:run) { param 'String', :given }
  def run(given) = ${body}
end
`
  repository = controlRepository({
    'manifests/site.pp': `notify { "dns \${site::addresses('db.test')}": }
notify { "page \${site::page('http://page.test:${outside.port}/fresh')}": }
notify { "program \${generate('${program}', 'a')}": }
`,
    'modules/site/lib/puppet/functions/site/addresses.rb': ruby('addresses', 'Resolv.getaddresses(given).join(",")'),
    'modules/site/lib/puppet/functions/site/page.rb': ruby('page', 'Net::HTTP.get(URI(given))'),
  })
  serving = await serve({
    ...{ code_repo: repository.bare, store: 'sqlite', generators: program, external_lookups: 'dns,http' },
    ...{ external_dns_names: '*.test', external_dns_servers: outside.dns },
    ...{ external_http_hosts: `page.test:${outside.port}`, external_http_addresses: '127.0.0.1' },
  })
})
afterAll(() => Promise.all([serving?.stop(), outside?.close()]))

it('records what a catalog was answered, and gives it back', async () => {
  const facts = encodeURIComponent(JSON.stringify({ name: 'a.test', values: {} }))
  const body = new URLSearchParams({ environment: 'production', facts_format: 'application/json', facts }).toString()
  const headers = { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' }
  const made = await serving.call('POST', '/puppet/v3/catalog/a.test', { as: 'a.test', headers, body })
  expect(made.status, made.text).toBe(200)
  const titles = (text: string) =>
    [...text.matchAll(/"title":"((?:dns|page|program) [^"]*)"/g)].map(([, title]) => title)
  expect(titles(made.text)).toEqual(['dns 192.0.2.1,192.0.2.9', 'page 1', expect.stringMatching(/^program a \d+/)])

  const own = ['--confdir', join(folder, 'etc'), '--vardir', serving.settings.vardir, '--store', 'sqlite']
  const inputs = async () => (await runHere(['catalog', 'inputs', 'a.test', ...own])).out
  await expect.poll(inputs).toContain('generate')
  const file = join(folder, 'inputs.json')
  writeFileSync(file, await inputs())
  expect(JSON.parse(readFileSync(file, 'utf8')).inputs).toHaveLength(4)
  const known = join(folder, 'facts.json')
  writeFileSync(known, '{"kernel":"Linux"}')
  const from = ['--node', 'a.test', '--facts', known, '--repo', repository.bare, '--inputs', file]
  const compile = ['catalog', 'compile', ...own, ...from]
  const again = await runHere(compile)
  expect([again.status, again.err]).toEqual([0, ''])
  expect(titles(again.out)).toEqual(titles(made.text))
})
