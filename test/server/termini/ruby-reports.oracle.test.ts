import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { linesOf, plugInFolder } from './ruby-plug-ins/owner.ts'

const cases = resolve(import.meta.dirname, 'ruby-plug-ins/reports')
const names = readdirSync(cases).map((file) => file.replace(/\.rb$/, ''))
const textOf = (name: string) => readFileSync(join(cases, `${name}.rb`), 'utf8')

/** Where processors send to: what came is kept. */
let web: Server
let address: string
let asked: object[] = []
beforeAll(async () => {
  web = createServer((request, response) => {
    const { method, url, headers } = request
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { 'content-type': type, authorization, 'x-token': token, 'content-length': length } = headers
      asked.push({ method, url, type, authorization, token, length, body: Buffer.concat(pieces).toString() })
      response.writeHead(url?.startsWith('/no') ? 503 : 201, { 'x-answer': 'taken' }).end('ok\n')
    })
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
})
afterAll(() => web.close())

/** The folders of a server, as its owner has set them up for the processors. */
function home(): { confdir: string; vardir: string } {
  const folder = scratchFolder('reports')
  const [confdir, vardir] = [join(folder, 'etc'), join(folder, 'var')]
  for (const each of [confdir, vardir]) mkdirSync(each)
  writeFileSync(
    join(confdir, 'tagmail.conf'),
    '# tags\nall: a@b.test, c@d.test\nerr, !exec: ops@b.test\nnoted: n@b.test\n',
  )
  writeFileSync(join(confdir, 'sendmail'), `#!/bin/sh\n(echo "TO $*"; cat) >> ${vardir}/mails\n`)
  chmodSync(join(confdir, 'sendmail'), 0o755)
  writeFileSync(
    join(confdir, 'webhook.yaml'),
    `url: ${address}/hook?x=1\nchannel: '#ops'\nstatuses: [failed, changed]\n`,
  )
  writeFileSync(join(confdir, 'address'), `${address}\n`)
  return { confdir, vardir }
}

/** All that processors left: files by their paths, and modes. What tells the one home from the other is taken out. */
function leftIn({ confdir, vardir }: { confdir: string; vardir: string }): Record<string, string> {
  const at = (text: string) =>
    text
      .replaceAll(vardir, 'VAR')
      .replaceAll(confdir, 'ETC')
      .replace(/^( *(?:Puppet|puppet): +).*$/gm, '$1VERSION')
      .replace(/^( *(?:Last run|last_run): +).*$/gm, '$1NOW')
  const paths = [
    'mails',
    'gauges',
    ...readdirSync(join(vardir, 'archive/a.test')).map((name) => `archive/a.test/${name}`),
  ]
  return Object.fromEntries(paths.map((path) => [path, at(readFileSync(join(vardir, path), 'utf8'))]))
}

interface Oracle {
  readonly report: Record<string, unknown>
  readonly logs: Readonly<Record<string, readonly (readonly [string, string])[]>>
}

async function byPuppet(given: { confdir: string; vardir: string }): Promise<Oracle> {
  const processors = Object.fromEntries(names.map((name) => [name, join(cases, `${name}.rb`)]))
  const input = JSON.stringify({ ...given, certname: 'localhost', processors })
  const oracle = resolve(import.meta.dirname, '../../oracle/reports.rb')
  return JSON.parse((await execa('ruby', [oracle], { input })).stdout) as Oracle
}

const put = (server: Serving, report: object) =>
  server.call('PUT', '/puppet/v3/report/a.test?environment=production', {
    as: 'a.test',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(report),
  })

async function started(files: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const repository = controlRepository({ 'manifests/site.pp': 'node default { }\n' })
  return serve({ code_repo: repository.bare, server_plugins: plugInFolder(files), ...more })
}

describe.skipIf(withoutPuppet)(`report processors in Ruby${withoutPuppet}`, () => {
  it('do with a report of real Puppet what they do there', async () => {
    const [theirs, ours] = [home(), home()]
    const real = await byPuppet(theirs)
    const askedByPuppet = asked
    asked = []
    const files = Object.fromEntries(names.map((name) => [`puppet/reports/${name}.rb`, textOf(name)]))
    const server = await started(files, { ...ours, reports: names.join(',') })
    try {
      server.log.length = 0
      const { status, text } = await put(server, real.report)
      expect([status, JSON.parse(text)]).toEqual([200, names])
      const said = linesOf(server.log).filter(
        ([level, message]) => level !== 'debug' && message !== 'request' && !message.startsWith('the event loop'),
      )
      const expected = names.flatMap((name) => real.logs[name] ?? [])
      expect(said.map(([, message]) => message)).toEqual(expected.map(([, message]) => message))
      expect(said.filter(([level]) => level === 'err')).toEqual(expected.filter(([level]) => level === 'err'))
      expect(leftIn(ours)).toEqual(leftIn(theirs))
      expect(leftIn(ours)['mails']).toContain('TO ops@b.test')
      expect(Object.keys(leftIn(ours))).toContain('archive/a.test/latest')
      expect(asked).toEqual(askedByPuppet)
      expect(asked.length).toBe(3)
    } finally {
      await server.stop()
    }
  })
})
