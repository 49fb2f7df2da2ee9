import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { type OutsideServers, openOutsideServers } from '../../support/outside-servers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { linesOf, plugInFolder } from './ruby-plug-ins/owner.ts'

const cases = resolve(import.meta.dirname, 'ruby-plug-ins/node')
const textOf = (name: string) => readFileSync(join(cases, `${name}.rb`), 'utf8')
const page = readFileSync(resolve(import.meta.dirname, '../../../docs/plug-ins.md'), 'utf8')
/** The examples in Ruby of the page, by their paths. */
const examples = Object.fromEntries(
  [...page.matchAll(/^`(puppet\/[\w/]+\.rb)`[^\n]*:\n\n```ruby\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [
    path!,
    text!,
  ]),
)
const site = `node default { notify { "\${environment} \${role} \${rack} \${facts['os']['family']}": } }\n`
const modules = { 'modules/ntp/manifests/init.pp': 'class ntp($server = \'none\') { notify { "ntp ${server}": } }\n' }

let dns: OutsideServers
let serving: Serving | undefined
beforeAll(async () => {
  dns = await openOutsideServers()
  process.env['PLUMB_DNS'] = dns.dns
})
afterAll(async () => {
  delete process.env['PLUMB_DNS']
  await dns?.close()
})
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

type Texts = Readonly<Record<string, string>>

async function start(files: Texts, settings: Texts = {}, folder = plugInFolder(files)): Promise<Serving> {
  const repository = controlRepository({ 'manifests/site.pp': site, ...modules })
  repository.push({ 'manifests/site.pp': `# staging\n${site}` }, 'staging')
  serving = await serve({ code_repo: repository.bare, server_plugins: folder, ...settings })
  return serving
}

async function catalogOf(node: string, { call }: Serving, environment = 'production') {
  const facts = encodeURIComponent(JSON.stringify({ name: node, values: { os: { family: 'Debian' } } }))
  const { status, text } = await call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: `environment=${environment}&facts_format=application%2Fjson&facts=${encodeURIComponent(facts)}`,
  })
  if (status !== 200) return { status, text }
  const { environment: chosen, resources } = JSON.parse(text)
  return { status, environment: chosen, titles: resources.map((each: { title: string }) => each.title) as string[] }
}

const nodeFile = (name: string, text: string): Texts => ({ [`puppet/indirector/node/${name}.rb`]: text })

describe('a terminus of nodes in Ruby', () => {
  it('asks DNS, as the page has it', async () => {
    await dns.know({ 'web1.example.test TXT': [['class=ntp', 'role=web', 'rack=r1', 'environment=staging']] })
    const server = await start(examples, { node_terminus: 'dns_txt' })
    const { environment, titles } = await catalogOf('web1.example.test', server)
    expect([environment, titles]).toEqual(['staging', expect.arrayContaining(['ntp none', 'staging web r1 Debian'])])
  })

  it('has the environment, classes with parameters, facts, code of its own, and a log', async () => {
    const confdir = scratchFolder('etc')
    writeFileSync(
      join(confdir, 'inventory.yaml'),
      'a.test: { environment: staging, classes: { ntp: { server: t.test } }, parameters: { role: db } }\n',
    )
    const library = `module PuppetX; module Owner; module Inventory
      def self.load(path) = @loaded ||= YAML.load_file(path)
    end; end; end\n`
    const files = { ...nodeFile('inventory', textOf('inventory')), 'puppet_x/owner/inventory.rb': library }
    const server = await start(files, { node_terminus: 'inventory', confdir })
    const { environment, titles } = await catalogOf('a.test', server)
    expect([environment, titles]).toEqual([
      'staging',
      expect.arrayContaining(['ntp t.test', 'staging db rack of Debian Debian']),
    ])
    expect(linesOf(server.log).map(([, message]) => message)).toContain(
      'inventory says staging of /node/a.test for "a.test" in production',
    )
    const known = await server.call('GET', '/puppet/v3/node/a.test?environment=production', {
      as: 'a.test',
      headers: { accept: 'application/json' },
    })
    expect(JSON.parse(known.text)).toMatchObject({ environment: 'staging', parameters: { role: 'db' } })
    expect((await catalogOf('b.test', server)).status).not.toBe(200)
  })

  it('begins with those that Puppet has: files, a program, memory', async () => {
    const cache = `require 'puppet/indirector/yaml'
      class Puppet::Node::Kept < Puppet::Indirector::Yaml
        def save(request)
          request.instance.parameters['rack'] = 'kept'
          super
        end
      end\n`
    const program = join(scratchFolder('program'), 'classifier')
    writeFileSync(program, '#!/bin/sh\necho "{classes: [ntp], environment: staging, parameters: {role: $1}}"\n')
    chmodSync(program, 0o755)
    const exec = `require 'puppet/indirector/node/exec'
      class Puppet::Node::Program < Puppet::Node::Exec
        def find(request) = super.tap { |node| node.merge('rack' => 'of a program') }
      end\n`
    const files = { ...nodeFile('kept', cache), ...nodeFile('program', exec) }
    const given = { node_terminus: 'program', node_cache_terminus: 'kept', external_nodes: program }
    const server = await start(files, given)
    expect((await catalogOf('a.test', server)).titles).toContain('staging a.test of a program Debian')
    const cached = join(server.settings.yamldir, 'node/a.test.yaml')
    await expect
      .poll(() => (existsSync(cached) ? readFileSync(cached, 'utf8') : ''))
      .toMatch(/^--- !ruby\/object:Puppet::Node\nname: a\.test\nenvironment: staging\n/)
    const get = await server.call('GET', '/puppet/v3/node/a.test?environment=staging', {
      as: 'a.test',
      headers: { accept: 'application/json' },
    })
    expect(JSON.parse(get.text).parameters).toMatchObject({ rack: 'kept' })
  })
})

describe('other termini in Ruby', () => {
  it('keep facts', async () => {
    const facts = `require 'puppet/indirector/memory'
      class Puppet::Node::Facts::Counted < Puppet::Indirector::Memory
        def save(request)
          request.instance.values['saved_by'] = "#{request.node} at #{request.instance.timestamp.class}"
          super
        end
      end\n`
    const server = await start({ 'puppet/indirector/facts/counted.rb': facts }, { facts_terminus: 'counted' })
    const options = { as: 'a.test', headers: { 'content-type': 'application/json', accept: 'application/json' } }
    const body = '{"name":"a.test","values":{"x":1.0,"y":[1,{"z":null}]},"timestamp":"2026-11-24T10:00:00Z"}'
    const put = await server.call('PUT', '/puppet/v3/facts/a.test?environment=production', { ...options, body })
    expect(put.status).toBe(200)
    const node = await server.call('GET', '/puppet/v3/node/a.test?environment=production', options)
    expect(JSON.parse(node.text).parameters).toMatchObject({ saved_by: 'a.test at Time', x: 1, y: [1, { z: null }] })
    expect(node.text).toContain('"x":1.0')
  })

  it('take reports, in place of processors', async () => {
    const folder = scratchFolder('out')
    const report = `class Puppet::Transaction::Report::Spool < Puppet::Indirector::Code
        def save(request) = File.write("${folder}/#{request.key}", "#{request.instance.class} #{request.instance.status}")
      end\n`
    const route = join(scratchFolder('routes'), 'routes.yaml')
    writeFileSync(route, 'server: { report: { terminus: spool } }\n')
    const server = await start({ 'puppet/indirector/report/spool.rb': report }, { route_file: route })
    expect((await put(server)).status).toBe(200)
    expect(readFileSync(join(folder, 'a.test'), 'utf8')).toBe('Puppet::Transaction::Report changed')
  })
})

const put = (server: Serving, more: object = {}) =>
  server.call('PUT', '/puppet/v3/report/a.test?environment=production', {
    as: 'a.test',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ host: 'a.test', time: '2026-11-24T10:00:00Z', status: 'changed', logs: [], metrics: {}, report_format: 12 },
      ...{ configuration_version: 1, puppet_version: '8.10.0', environment: 'production', resource_statuses: {} },
      ...more,
    }),
  })

const processor = (body: string, name = 'own') =>
  `Puppet::Reports.register_report(:${name}) do\n  def process\n${body}\n  end\nend\n`
const reportFile = (body: string): Texts => ({ 'puppet/reports/own.rb': processor(body) })
const errorsOf = ({ log }: Serving) =>
  linesOf(log)
    .filter(([level]) => level === 'err')
    .map(([, message]) => message)

describe('a report processor in Ruby', () => {
  it.each<[string, string, string]>([
    ['raises', 'raise ArgumentError, "no \\e[31mluck"', 'Report own failed: no \\x1b[31mluck ('],
    [
      'has no method',
      'nothing_of_that_name',
      'Report own failed: undefined local variable or method `nothing_of_that_name',
    ],
    ['exits', 'exit 3', 'Report own failed: exit'],
    ['ends its interpreter', 'exit!', 'Report own failed: Ruby code of a module ended its interpreter'],
    ['never ends itself', 'def deep = deep\ndeep', 'Report own failed: stack level too deep'],
    [
      'takes all memory',
      'held = []\nloop { held << "x" * 50_000_000 }',
      'Report own failed: failed to allocate memory',
    ],
    ['is no program', '`/nonexistent/program`', 'Report own failed: No such file or directory'],
  ])('that %s is a line in the log, and the next has its turn', async (_, body, words) => {
    const folder = scratchFolder('out')
    const next = processor(`File.write('${folder}/next', host)`, 'next')
    const server = await start({ ...reportFile(body), 'puppet/reports/next.rb': next }, { reports: 'own,next,store' })
    const { status, text } = await put(server)
    expect([status, JSON.parse(text)]).toEqual([200, ['own', 'next', 'store']])
    expect(errorsOf(server)).toEqual([expect.stringContaining(words)])
    expect(readFileSync(join(folder, 'next'), 'utf8')).toBe('a.test')
    expect((await put(server)).status).toBe(200)
    expect(errorsOf(server).length).toBe(2)
  })

  it('that hangs is ended with its thread, and who waits has his turn then', async () => {
    const folder = scratchFolder('out')
    const body = `File.write("${folder}/#{environment}", '')\nloop {} if environment == 'hang'`
    const server = await start(reportFile(body), { reports: 'own' })
    const hung = put(server, { environment: 'hang' })
    await expect.poll(() => existsSync(join(folder, 'hang'))).toBe(true)
    const waited = put(server, { environment: 'waited' })
    expect((await server.call('GET', '/status/v1/simple')).text).toBe('running')
    expect((await hung).status).toBe(200)
    expect(errorsOf(server)[0]).toBe('Report own failed: it took longer than 30 seconds')
    expect((await waited).status).toBe(200)
    await expect.poll(() => existsSync(join(folder, 'waited'))).toBe(true)
    expect((await put(server, { environment: 'fine' })).status).toBe(200)
    expect(existsSync(join(folder, 'fine'))).toBe(true)
  }, 120_000)

  it('that waits for a program is ended with it', async () => {
    const server = await start(reportFile("system('sleep 86397') if environment == 'sleep'"), { reports: 'own' })
    await put(server, { environment: 'sleep' })
    expect(errorsOf(server)).toEqual([expect.stringMatching(/execution expired|longer than 30 seconds/)])
    const isGone = async () => (await execa('pgrep', ['-f', '^sleep 86397$'], { reject: false })).exitCode === 1
    await expect.poll(isGone).toBe(true)
    expect((await put(server)).status).toBe(200)
    expect(errorsOf(server).length).toBe(1)
  }, 120_000)

  it('trusts the servers that it is told to', async () => {
    const folder = scratchFolder('out')
    const body = `require 'net/http'
      known = OpenSSL::X509::Store.new.tap { |store| store.add_file(Puppet[:localcacert]) }
      ways = [{}, { verify_mode: OpenSSL::SSL::VERIFY_NONE }, { ca_file: Puppet[:localcacert] }, { cert_store: known }]
      said = ways.map do |options|
        Net::HTTP.start('localhost', File.read('${folder}/port').to_i, use_ssl: true, **options) { |http| http.get('/status/v1/simple').body }
      rescue OpenSSL::SSL::SSLError => error
        error.class
      end
      File.write('${folder}/said', said.inspect)`
    const server = await start(reportFile(body), { reports: 'own' })
    writeFileSync(join(folder, 'port'), new URL(server.server.url).port)
    expect((await put(server)).status).toBe(200)
    expect(errorsOf(server)).toEqual([])
    expect(readFileSync(join(folder, 'said'), 'utf8')).toBe('[OpenSSL::SSL::SSLError, "running", "running", "running"]')
  })

  it('sees nothing that is secret, and prints into the log', async () => {
    const folder = scratchFolder('out')
    const body = `puts "a\\e[2Jb", 'c'\n$stderr.puts 'd'\nprint 'e'\nFile.write('${folder}/seen', [Puppet[:ldappassword], Puppet.settings[:certname], Puppet.run_mode.server?].inspect)`
    const server = await start(reportFile(body), { reports: 'own', ldappassword: 'hush' })
    await put(server)
    expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe('[nil, "localhost", true]')
    const messages = linesOf(server.log).map(([, message]) => message)
    expect(messages).toEqual(expect.arrayContaining(['a\\x1b[2Jb', 'c', 'd', 'e']))
  })
})

describe('the examples of docs/plug-ins.md in Ruby', () => {
  it('are these', () =>
    expect(Object.keys(examples)).toEqual([
      'puppet/indirector/catalog/packages.rb',
      ...['puppet/owner.rb', 'puppet/indirector/owner/memory_only.rb'],
      ...['puppet/reports/failures.rb', 'puppet/indirector/node/dns_txt.rb'],
    ]))

  it('tell a chat of resources that failed', async () => {
    const told: string[] = []
    const chat = createServer((request, response) => {
      request.on('data', (piece: Buffer) => told.push(piece.toString()))
      request.on('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await once(chat, 'listening')
    const confdir = scratchFolder('etc')
    writeFileSync(
      join(confdir, 'failures.yaml'),
      `url: http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook\n`,
    )
    const server = await start(examples, { reports: 'store,failures', confdir })
    const statuses = { 'File[/a]': { resource: 'File[/a]', failed: true, events: [] }, 'File[/b]': { failed: false } }
    await put(server, { status: 'failed', resource_statuses: statuses })
    await put(server)
    chat.close()
    expect(told).toEqual(['{"text":"a.test failed at File[/a]"}'])
    expect(linesOf(server.log).map(([, message]) => message)).toContain('told of a.test: 200')
  })
})

describe('a plug-in in Ruby', () => {
  it.each<[string, string, string]>([
    ['throws', 'def find(request) = raise("no \\e[31mluck")', 'failed in find: no \\\\x1b[31mluck ('],
    ['answers what is no node', "def find(request) = { 'classes' => 'a' }", 'node.classes'],
    ['cannot find', '', 'does not support find'],
  ])('that %s fails the request, in words', async (_, body, words) => {
    const text = `class Puppet::Node::Own < Puppet::Indirector::Code\n${body}\nend\n`
    const server = await start(nodeFile('own', text), { node_terminus: 'own' })
    const answer = await catalogOf('a.test', server)
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(words)])
    expect(answer.text).not.toContain('\u001b')
  })

  it.each<[string, Texts, string]>([
    ['is no Ruby', { 'puppet/reports/own.rb': 'def (' }, 'puppet/reports/own.rb failed in load: '],
    ['needs what is not there', { 'puppet/reports/own.rb': "require 'dogapi'" }, 'cannot load such file -- dogapi'],
    ['registers another name', { 'puppet/reports/own.rb': processor('', 'other') }, 'does not register the report own'],
    ['defines nothing', nodeFile('own', '1'), 'does not define the terminus own of node'],
    [
      'has the name of an existing terminus or report processor',
      nodeFile('exec', 'class Puppet::Node::Exec; end'),
      'has the name of an existing terminus or report processor: exec',
    ],
    [
      'has the name of our processor',
      { 'puppet/reports/store.rb': processor('', 'store') },
      'existing terminus or report processor: store',
    ],
    [
      'has the name of one in JavaScript',
      { 'puppet/reports/own.rb': processor(''), 'reports/own.js': 'export const process = () => {}' },
      'existing terminus or report processor: own',
    ],
    ['has no name', { 'puppet/reports/Own-1.rb': '' }, 'must contain only lowercase letters'],
    ['hangs at its top', { 'puppet/reports/own.rb': 'loop {}' }, 'failed in load: it took longer than 30 seconds'],
  ])('that %s keeps the server from starting', async (_, files, words) => {
    await expect(start(files)).rejects.toThrow(words)
  })

  it('that others may change is refused, and whatever it could require from there', async () => {
    const files = { 'puppet/reports/own.rb': processor(''), 'puppet_x/lib.rb': '' }
    const folder = plugInFolder(files)
    for (const [path, mode] of [
      ['puppet/reports/own.rb', 0o664],
      ['puppet/reports', 0o777],
      ['puppet', 0o775],
      ['puppet_x/lib.rb', 0o666],
      ['.', 0o777],
    ] as const) {
      const whole = join(folder, path)
      chmodSync(whole, mode)
      await expect(start(files, {}, folder)).rejects.toThrow(`can change the plug-in ${whole}`)
      chmodSync(whole, path.endsWith('.rb') ? 0o644 : 0o755)
    }
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(dirname(folder), join(folder, 'elsewhere/link'))
    await expect(start(files, {}, folder)).rejects.toThrow(`can change the plug-in ${folder}/elsewhere/link`)
  })
})
