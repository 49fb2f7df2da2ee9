import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository, type Files } from '../support/control-repository.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { attacks, maySpin, oddities, type Place, patches } from './attacks.ts'

/** The files and the code of a manifest by which a module's Ruby comes to run; `NAME` stands for the name. */
const places: Readonly<Record<Place, readonly [file: string, text: string, code: string]>> = {
  function: [
    'lib/puppet/functions/evil/NAME.rb',
    "Puppet::Functions.create_function(:'evil::NAME') do\n  def NAME\n    RUBY\n  end\nend\n",
    'evil::NAME()',
  ],
  'legacy function': [
    'lib/puppet/parser/functions/NAME.rb',
    'Puppet::Parser::Functions.newfunction(:NAME, type: :rvalue) do |_|\n  RUBY\nend\n',
    '$x = NAME()',
  ],
  template: ['templates/NAME.erb', 'text\n<% RUBY %>\n', "$x = template('evil/NAME.erb')"],
  inline: ['templates/NAME.inline', '', '$x = inline_template(@(END/L))\n<% RUBY %>\n| END'],
  'function file': [
    'lib/puppet/functions/evil/NAME.rb',
    "RUBY\nPuppet::Functions.create_function(:'evil::NAME') { def NAME = 1 }\n",
    'evil::NAME()',
  ],
  type: [
    'lib/puppet/type/NAME.rb',
    'Puppet::Type.newtype(:NAME) do\n  newparam(:name)\n  RUBY\nend\n',
    "NAME { 'x': }",
  ],
  title: [
    'lib/puppet/type/NAME.rb',
    'Puppet::Type.newtype(:NAME) do\n  newparam(:a, namevar: true)\n  newparam(:b, namevar: true)\n' +
      '  def self.title_patterns = [[/(.)(.)/, [[:a, ->(x) { RUBY }], [:b]]]]\nend\n',
    "NAME { 'xy': }",
  ],
  backend: [
    'lib/puppet/functions/evil/NAME.rb',
    "Puppet::Functions.create_function(:'evil::NAME') do\n  dispatch(:data) { param 'Hash', :options; param 'Puppet::LookupContext', :context }\n" +
      '  def data(options, context)\n    RUBY\n  end\nend\n',
    "$x = lookup('evil_NAME::key', { default_value => 1 })",
  ],
}

const metadata = JSON.stringify({
  name: 'a-evil',
  version: '1.0.0',
  author: 'a',
  license: 'x',
  summary: '',
  source: '',
  dependencies: [],
})

/** A module that has all attacks, and a manifest that runs the one that a fact names. */
function repositoryFiles(): Files {
  const named = [...attacks, ...[...oddities, ...patches].map(([name, ruby]) => [name, 'function', ruby] as const)]
  const files = named.map(([name, place, ruby]): [string, string] => {
    const [file, text] = places[place]
    return [`modules/evil/${file}`.replaceAll('NAME', name), text.replaceAll('NAME', name).replace('RUBY', () => ruby)]
  })
  const backends = named
    .filter(([, place]) => place === 'backend')
    .flatMap(([name]) => [
      [
        `modules/evil_${name}/hiera.yaml`,
        `version: 5\nhierarchy:\n  - name: x\n    data_hash: evil::${name}\n    options: { x: 1 }\n`,
      ],
      [`modules/evil_${name}/metadata.json`, metadata.replace('a-evil', `a-evil_${name}`)],
    ])
  const cases = named.map(([name, place, ruby]) => {
    const code = places[place][2].replaceAll('NAME', name).replace('RUBY', () => ruby)
    return `  '${name}': {\n    ${code}\n  }\n`
  })
  return {
    'manifests/site.pp': `case $facts['attack'] {\n${cases.join('')}  default: { notify { template('evil/fine.erb'): } }\n}\n`,
    'modules/evil/metadata.json': metadata,
    'modules/evil/templates/fine.erb': 'fine <%= [1, 2].sum %>',
    ...Object.fromEntries([...files, ...backends]),
  }
}

let repository: ControlRepository
let patient: RunningServer
let impatient: RunningServer
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

beforeAll(async () => {
  repository = controlRepository(repositoryFiles())
  repository.pin()
  repository.git('push', '-q', 'origin', 'HEAD:refs/heads/patched')
  repository.push({ 'manifests/site.pp': "notify { inline_template('<%= %q(innocent).upcase %>'): }\n" }, 'innocent')
  repository.pin()
  const serve = (ruby_timeout: string) => {
    const settings = { ruby_timeout, compile_timeout: '5m', compile_workers: '2' }
    return startServer({ repository: repository.bare, settings })
  }
  patient = await serve('2m')
  impatient = await serve('3s')
})

afterAll(async () => {
  agent.destroy()
  await patient?.stop()
  await impatient?.stop()
})

function catalogOf(
  server: RunningServer,
  environment: string,
  attack: string,
): Promise<{ status: number; text: string }> {
  const file = (path: string) => readFileSync(join(server.confdir, 'ssl', path))
  const tls = { ca: file('certs/ca.pem'), cert: file('certs/localhost.pem'), key: file('private_keys/localhost.pem') }
  const facts = encodeURIComponent(JSON.stringify({ name: 'localhost', values: { attack } }))
  const body = new URLSearchParams({ environment, facts_format: 'application/json', facts }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/vnd.puppet.rich+json' }
  const path = `/puppet/v3/catalog/localhost?environment=${environment}`
  return new Promise((done, failed) => {
    const asked = request(
      { method: 'POST', host: 'localhost', port: server.port, path, headers, agent, ...tls },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => done({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      },
    )
    asked.on('error', failed)
    asked.end(body)
  })
}

/** Runs an attack while another environment compiles, which has to come to its catalog. */
async function attacked(
  name: string,
  server = patient,
  environment = 'production',
): Promise<{ status: number; text: string }> {
  const [attack, innocent] = await Promise.all([
    catalogOf(server, environment, name),
    catalogOf(server, 'innocent', name),
  ])
  expect(innocent).toMatchObject({ status: 200, text: expect.stringContaining('"title":"INNOCENT"') })
  expect(server.process.exitCode).toBeNull()
  return attack
}

describe('a server whose modules are hostile', () => {
  it.each(attacks)('fails the catalog of %s (%s), and that alone', async (name, _place, _ruby, expected) => {
    const { status, text } = await attacked(name, maySpin(expected) ? impatient : patient)
    const { message } = JSON.parse(text) as { message: string }
    expect(status).toBe(500)
    expect(message).toMatch(expected)
    expect(message).toMatch(
      /\(file: \S+\/(?:manifests\/site\.pp, line: \d+(?:, column: \d+)?|modules\/evil\/\S+\.rb)\)/,
    )
  })

  it.each(oddities)('makes the catalog of %s', async (name) => {
    const { status, text } = await attacked(name)
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  })

  it.each(patches)('keeps %s to its environment', async (name) => {
    await attacked(name, patient, 'patched')
    await attacked('fine', patient, 'patched')
    expect((await attacked('fine')).text).toContain('"title":"fine 3"')
  })

  it('has not grown', () => {
    for (const server of [patient, impatient]) {
      const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
      const mebibytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
      console.info(`RSS of the server after the attacks: ${mebibytes.toFixed()} MiB`)
      expect(mebibytes).toBeLessThan(1200)
    }
  })
})
