// What `plumb apply` tells stores and servers.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runHere } from '../support/run-here.ts'

import { apply, certname, code, folder, manifest, other, places, refuse, told } from './masterless-runs.ts'

describe('what is told without a server', () => {
  const stateOf = (path: string) => join(folder, 'plumb/var', path)
  const reports = () => readdirSync(stateOf('reports/server.test'), { recursive: true })

  it('is a report in a file by default, with and without failures, and none without report', async () => {
    expect(await apply('plumb', ['--store', 'none', '-e', "exec { '/bin/false': }"])).toMatchObject({ status: 4 })
    const [file] = reports().sort().slice(-1)
    const count = reports().length
    const text = readFileSync(join(stateOf('reports/server.test'), String(file)), 'utf8')
    expect(text).toMatch(/^--- !ruby\/object:Puppet::Transaction::Report\n/)
    expect(parse(text.replace(/^---.*\n/, ''))).toMatchObject({ host: certname, status: 'failed' })
    for (const words of [['--reports', 'none'], ['--no-report']])
      expect((await apply('plumb', ['--store', 'none', ...words, '-e', "notify { 'x': }"])).status).toBe(2)
    expect(reports()).toHaveLength(count)
    expect(other.seen).toHaveLength(0)
  })

  it('warns of a processor that is not there, and goes on with the others', async () => {
    const words = ['--reports', 'nothere,puppetdb', '-e', "notify { 'x': }"]
    const { status, err } = await apply('plumb', words)
    expect([status, err]).toEqual([2, "Warning: No report named 'nothere'\n"])
    expect(told().map(({ command }) => command)).toEqual(['store_report'])
  })

  it('is posted with the user and the password of reporturl, which are in no message', async () => {
    const url = other.url.replace('//', '//me:s%40cret@')
    refuse('/upload')
    const { status, out, err } = await apply('plumb', ['--reports', 'http', '--reporturl', `${url}/upload`, manifest])
    expect([status, err]).toEqual([6, expect.stringContaining(`Unable to submit report to ${other.url}/upload [500]`)])
    expect(out + err).not.toContain('cret')
    const [{ headers, body }] = other.seen as [(typeof other.seen)[0]]
    expect(headers).toMatchObject({
      'content-type': 'application/x-yaml',
      authorization: `Basic ${Buffer.from('me:s@cret').toString('base64')}`,
    })
    expect(body.toString()).toMatch(/^--- !ruby\/object:Puppet::Transaction::Report\n/)
    for (const wrong of ['ftp://a/', 'me:cret']) {
      const { err } = await apply('plumb', ['--reports', 'http', '--reporturl', wrong, manifest])
      expect(err).toContain('Set reporturl to a URL that begins with http:// or https://.')
      expect(err).not.toContain('cret')
    }
  })

  it('goes to the server where routes.yaml says rest', async () => {
    const routes = '---\napply: { report: { terminus: rest }, facts: { terminus: facter, cache: rest } }\n'
    const server = ['--server', 'localhost', '--serverport', new URL(other.url).port]
    const { status, err } = await apply('plumb', [...server, '-e', "notify { 'x': }"], routes)
    expect([status, err]).toEqual([2, ''])
    expect(told().map(({ method, pathname, client }) => [method, pathname, client])).toEqual([
      ['PUT', `/puppet/v3/facts/${certname}`, certname],
      ['PUT', `/puppet/v3/report/${certname}`, certname],
    ])
    refuse('/report/')
    const late = await apply('plumb', [...server, '-e', "notify { 'x': }"], routes)
    expect([late.status, late.err]).toEqual([2, expect.stringContaining('Error: Could not send report: Error 500')])
  })

  it.each(['json', 'yaml'])('is a catalog in a %s file, which is never applied in place of a new one', async (form) => {
    for (const name of ['one', 'two']) {
      const words = ['--store', 'none', '--catalog_cache_terminus', form, '-e', `notify { '${name}': }`]
      expect((await apply('plumb', words)).out).toContain(`Notify[${name}]`)
      const folder = form === 'json' ? 'client_data' : 'client_yaml'
      expect(readFileSync(stateOf(`${folder}/catalog/${certname}.${form}`), 'utf8')).toMatch(
        RegExp(`title"?: ?"?${name}`),
      )
    }
  })

  it('goes into a store of our own, which others ask then', async () => {
    const store = ['--store', 'sqlite']
    const all = ['apply', '--detailed-exitcodes', ...places('plumb', ''), ...store, '--storeconfigs']
    expect(await runHere([...all, '-e', code])).toMatchObject({
      status: 1,
      err: expect.stringContaining('The puppetdb terminus of facts requires a store'),
    })
    expect((await runHere(['store', 'migrate', ...places('plumb', ''), ...store])).status).toBe(0)
    expect((await runHere([...all, manifest])).status).toBe(6)
    const query = async (words: string) => {
      const { out } = await runHere(['query', words, ...places('plumb', ''), ...store, '--render-as', 'json'])
      return JSON.parse(out)
    }
    expect(await query('reports[certname, status] {}')).toEqual([{ certname, status: 'failed' }])
    expect(await query('resources[title] { exported = true }')).toEqual([{ title: 'exported' }])
    expect(await query('facts[value] { name = "kernel" }')).toEqual([{ value: 'Linux' }])
    expect((await runHere([...all, '--certname', 'two.test', '-e', 'Notify <<| |>>'])).out).toContain(
      'Notify[exported]',
    )
  })

  it('is refused by routes that do not hold', async () => {
    const said = async (routes: string) => (await apply('plumb', ['-e', code], `---\napply: ${routes}\n`)).err
    expect(await said('{ facts: { cache: nonesuch } }')).toContain('Could not find terminus nonesuch for indirection')
    expect(await said('{ facts: { terminus: puppetdb } }')).toContain(
      'The terminus of facts must be facter without a server',
    )
    expect(other.seen).toHaveLength(0)
  })
})
