import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLiveSettings } from '../../src/machine/settings/live-settings.ts'
import { loadSettings, type Settings } from '../../src/machine/settings/settings.ts'
import { createReloader } from '../../src/server/reloader.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'

let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': "file { '/tmp/x': source => 'puppet:///modules/m/x' }\n",
    'modules/m/files/x': 'content of x',
  })
  server = await startServer({ repository: repository.bare, settings: { compile_workers: '1', log_level: 'info' } })
  await plumb(['ca', 'generate', '--certname', 'node.test', ...server.places])
})
afterAll(async () => {
  await server?.stop()
})

const conf = (name: string) => join(server.confdir, name)
const lines = () =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
const messages = (): string[] => lines().map(({ msg }) => msg)
const ends = () => messages().filter((each) => each === 'reloaded' || each.startsWith('could not reload'))

/** Tells the server to reload, and waits for what it says of it. */
async function hup(): Promise<string> {
  const before = ends().length
  server.process.kill('SIGHUP')
  await expect.poll(() => ends().length).toBeGreaterThan(before)
  return ends().at(-1)!
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** A request with the certificate of a name; on a connection of its own, or on one that is kept. */
function ask(
  path: string,
  { as = 'localhost', isKept = false, headers = {} as Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  const file = (name: string) => readFileSync(conf(join('ssl', name)))
  const ca = file('certs/ca.pem')
  const pair = [file(`certs/${as}.pem`), file(`private_keys/${as}.pem`)]
  return new Promise((done, failed) => {
    const options = {
      host: 'localhost',
      port: server.port,
      path,
      ca,
      cert: pair[0],
      key: pair[1],
      headers: { accept: '*/*', ...headers },
    }
    const asking = request({ ...options, agent: isKept ? agent : false }, async (answer) => {
      let text = ''
      try {
        for await (const chunk of answer) text += chunk
        done({ status: answer.statusCode ?? 0, text })
      } catch (error) {
        failed(error)
      }
    })
    asking.on('error', failed)
    asking.end()
  })
}

const closed = `authorization: { version: 1, rules: [ { match-request: { path: "/status", type: path }, deny: "*", sort-order: 1, name: "no" } ] }`

describe('SIGHUP', () => {
  it('takes what is live, and names what wants a restart', async () => {
    writeFileSync(
      conf('puppet.conf'),
      '[server]\nmax_requests_per_minute = 77\nmax_environments = 9\nruninterval = 17m\n',
    )
    expect(await hup()).toBe('reloaded')
    expect(messages()).toContain("The setting max_requests_per_minute is now '77'")
    expect(messages()).toContain(
      "The setting max_environments has changed to '9'; restart the server to apply it (current value: '1000')",
    )
    expect(messages()).toContain(
      "The setting runinterval has changed to '1020'; restart the server to apply it (current value: '1800')",
    )
    rmSync(conf('puppet.conf'))
    writeFileSync(conf('routes.yaml'), 'server:\n  facts:\n    terminus: memory\n')
    expect(await hup()).toBe('reloaded')
    expect(messages().some((each) => /routes\.yaml has changed; restart the server/.test(each))).toBe(true)
    rmSync(conf('routes.yaml'))
    expect(await hup()).toBe('reloaded')
    expect(messages()).toContain("The setting max_requests_per_minute is now '60000'")
  })

  it.each<[string, string, string | (() => string), RegExp]>([
    [
      'a wrong setting',
      'puppet.conf',
      '[server]\nslow_request_after = loud\nauth_conf = /nowhere\n',
      /Invalid duration format '"loud"' for parameter: slow_request_after/,
    ],
    ['an auth.conf that ends too early', 'auth.conf', 'authorization: {', /Could not load .*auth\.conf/],
    [
      'an auth.conf with a pattern that is none',
      'auth.conf',
      closed.replace('"*"', '"/(/"'),
      /Could not load .*auth\.conf/,
    ],
    ['a certificate that is none', 'ssl/certs/localhost.pem', 'nothing', /Could not load the server certificate/],
    [
      'a certificate without its key',
      'ssl/private_keys/localhost.pem',
      () => '',
      /Could not load the server certificate|private key/,
    ],
    [
      'authorities that are none',
      'ssl/certs/ca.pem',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /could not reload/,
    ],
    ['revocation lists that are none', 'ca/ca_crl.pem', 'nothing', /could not reload.*ca_crl\.pem/],
    ['routes that are none', 'routes.yaml', 'server: [', /could not reload.*routes\.yaml/],
    [
      'names that are none',
      'custom_trusted_oid_mapping.yaml',
      'oid_mapping: [',
      /could not reload.*custom_trusted_oid_mapping\.yaml/,
    ],
  ])('leaves all as it was, and says why: %s', async (_, file, text, why) => {
    const path = conf(file)
    const before = file.includes('ssl/') || file.includes('ca/') ? readFileSync(path) : undefined
    const auth = conf('auth.conf')
    try {
      // What is sound beside it is not taken either.
      if (file !== 'auth.conf') writeFileSync(auth, closed)
      writeFileSync(path, typeof text === 'string' ? text : text())
      const said = await hup()
      expect(said).toMatch(/^could not reload; the previous configuration stays in effect: /)
      expect(said).toMatch(why)
    } finally {
      if (before) writeFileSync(path, before)
      else rmSync(path)
      rmSync(auth, { force: true })
    }
    expect((await ask('/status/v1/services')).status).toBe(200)
    expect(await hup()).toBe('reloaded')
  })

  it('fails no request, new or under way, while it is sent twenty times', async () => {
    let isOver = false
    const failures: unknown[] = []
    let count = 0
    const rich = { accept: 'application/vnd.puppet.rich+json' }
    const paths: readonly [string, Record<string, string>][] = [
      ['/puppet/v3/catalog/localhost?environment=production', rich],
      ['/puppet/v3/file_content/modules/m/x?environment=production', {}],
      ['/status/v1/services?level=debug', {}],
      ['/puppet/v3/file_metadata/modules/m/x?environment=production', { accept: 'application/json' }],
    ]
    const client = async (number: number) => {
      for (let turn = number; !isOver; turn++) {
        const [path, headers] = paths[turn % paths.length]!
        try {
          const { status } = await ask(path, { isKept: number % 2 === 0, headers })
          if (status !== 200) failures.push([path, status])
        } catch (error) {
          failures.push([path, String(error)])
        }
        count++
      }
    }
    const clients = [0, 1, 2, 3].map(client)
    for (let turn = 0; turn < 20; turn++) {
      // Now one that changes what is allowed to nobody here, now none; and a setting back and forth.
      if (turn % 2) writeFileSync(conf('puppet.conf'), `[server]\nslow_request_after = ${turn}s\n`)
      else rmSync(conf('puppet.conf'), { force: true })
      expect(await hup()).toBe('reloaded')
    }
    isOver = true
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(count).toBeGreaterThan(20)
  }, 120_000)

  it('is heeded as often as it is sent in a hurry: the last state of the files holds', async () => {
    for (let turn = 0; turn < 5; turn++) {
      writeFileSync(conf('auth.conf'), turn === 4 ? closed : 'authorization: {')
      server.process.kill('SIGHUP')
    }
    await expect.poll(async () => (await ask('/status/v1/services')).status).toBe(403)
    rmSync(conf('auth.conf'))
    expect(await hup()).toBe('reloaded')
    // That word may be of one of the reloads before.
    await expect.poll(async () => (await ask('/status/v1/services')).status).toBe(200)
  })

  it('takes a certificate that was renewed, for those who connect from then on', async () => {
    const serial = async () => JSON.stringify((await ask('/status/v1/services')).status)
    const before = readFileSync(conf('ssl/certs/localhost.pem'), 'utf8')
    expect((await plumb(['ca', 'renew', '--certname', 'localhost', ...server.places])).exitCode).toBe(0)
    expect(readFileSync(conf('ssl/certs/localhost.pem'), 'utf8')).not.toBe(before)
    expect(await hup()).toBe('reloaded')
    expect(await serial()).toBe('200')
  })
})

describe('the logs', () => {
  it.each(['SIGUSR2', 'SIGHUP'] as const)('are opened anew on %s: both of them', async (signal) => {
    const folder = join(repository.folder, signal)
    const [log, access] = [join(folder, 'server.log'), join(folder, 'access.log')]
    const settings = { logdest: log, access_log: access, log_level: 'info', compile_workers: '1' }
    const own = await startServer({ repository: repository.bare, settings })
    const get = () =>
      new Promise<void>((done) => {
        const options = {
          host: 'localhost',
          port: own.port,
          path: '/status/v1/simple',
          rejectUnauthorized: false,
          agent: false as const,
        }
        request(options, (answer) => answer.resume().on('end', done)).end()
      })
    try {
      await get()
      await expect.poll(() => readFileSync(access, 'utf8')).toContain('/status/v1/simple')
      renameSync(log, `${log}.1`)
      renameSync(access, `${access}.1`)
      own.process.kill(signal)
      const read = (path: string) => {
        try {
          return readFileSync(path, 'utf8')
        } catch {
          return ''
        }
      }
      await expect.poll(() => read(log)).toMatch(/reloaded|reopened the logs/)
      await get()
      await expect.poll(() => read(access)).toContain('/status/v1/simple')
      expect(readFileSync(`${access}.1`, 'utf8').trim().split('\n')).toHaveLength(1)
    } finally {
      await own.stop()
    }
  })
})

describe('settings that go on', () => {
  const start = loadSettings({ given: { confdir: '/c', vardir: '/v', certname: 'a.test' }, env: {} })
  const other = (given: Record<string, string>): Settings =>
    loadSettings({ given: { confdir: '/c', vardir: '/v', certname: 'a.test', ...given }, env: {} })

  it('are those of the start until others are taken, and then the live ones of these', () => {
    const { settings, take } = createLiveSettings(start)
    expect({ ...settings }).toEqual({ ...start })
    const change = take(other({ access_log: '/a', compile_workers: '7' }))
    expect(change).toEqual({ taken: ['access_log'], waiting: ['compile_workers'] })
    expect([settings.access_log, settings.compile_workers]).toEqual(['/a', 0])
    expect(take(other({ compile_workers: '7' }))).toEqual({ taken: ['access_log'], waiting: ['compile_workers'] })
    expect(take(start)).toEqual({ taken: [], waiting: [] })
  })
})

describe('a reload', () => {
  it('takes nothing of any part where one cannot be prepared, and is done again when it is asked for meanwhile', async () => {
    const taken: string[] = []
    let prepared = 0
    const part = (name: string) => ({
      async prepare() {
        if (name === 'b' && ++prepared === 1) throw new Error('broken')
        return () => void taken.push(name)
      },
    })
    const told: boolean[] = []
    const reload = createReloader({
      readSettings: () => loadSettings({ env: {} }),
      reloadables: () => [part('a'), part('b')],
      after: async () => void taken.push('after'),
      told: (isDone) => told.push(isDone),
    })
    const first = expect(reload()).rejects.toThrow('broken')
    const [second, third] = [reload(), reload()]
    expect(second).toBe(third)
    await first
    await second
    expect([taken, told]).toEqual([
      ['a', 'b', 'after'],
      [false, true],
    ])
  })
})
