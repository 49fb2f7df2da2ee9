import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderProgress } from '../../../../src/model/orders/order-state.ts'
import { type ControlRepository, controlRepository } from '../../../support/control-repository.ts'
import { askServer, plumb, plumbMain, type RunningServer, startServer } from '../../../support/plumb.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const settings = { autosign: 'true', store: 'sqlite' }
const folder = scratchFolder('orders-server')
/** While this file exists, runs of slow nodes do not end. */
const hold = join(folder, 'hold')
let repository: ControlRepository
let server: RunningServer
const children: ChildProcess[] = []

beforeAll(async () => {
  const slow = `exec { 'slow': command => "/bin/sh -c 'sleep 5; while [ -e ${hold} ]; do sleep 0.2; done'" }`
  const site = `node /^slow/ { ${slow} }\nnode /^broken/ { exec { 'broken': command => '/bin/false' } }`
  const notes = `notify { 'first': tag => 'one' } notify { 'second': tag => 'two' }`
  repository = controlRepository({ 'manifests/site.pp': `${site}\nnode default { ${notes} }\n` })
  server = await startServer({ repository: repository.bare, settings, folder })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await server?.stop()
})

interface Agent {
  readonly folder: string
  readonly child: ChildProcess
  logged(): string
  saying(text: string): Promise<void>
  /** Runs `plumb agent` with the folders of this agent. */
  command(...words: string[]): ReturnType<typeof plumb>
}

/** Starts the agent service of a node, and waits for its connection. */
async function startAgent(certname: string, more: readonly string[] = []): Promise<Agent> {
  const home = scratchFolder('orders-agent')
  const places = ['--confdir', join(home, 'etc'), '--vardir', join(home, 'var'), '--rundir', join(home, 'run')]
  const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', certname, '--key_type', 'ec']
  const words = ['agent', ...places, ...who, '--runinterval', '1h', '--color', 'false', ...more]
  const child = spawn(process.execPath, [plumbMain, ...words, '--no-daemonize', '--verbose'])
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  const saying = (text: string) => expect.poll(() => said, { timeout: 20_000 }).toContain(text)
  if (!more.includes('--orders')) await saying('Waiting for orders of')
  await saying('Applied catalog')
  return { folder: home, child, logged: () => said, saying, command: (...own) => plumb([...words, ...own]) }
}

/** Runs `plumb run` on the server's machine. Returns the exit status and the final state of each order. */
async function order(...words: string[]) {
  const { exitCode, stdout, stderr } = await plumb(['run', ...words, ...server.places, '--render-as', 'json'])
  const lines = String(stdout).split('\n').filter(Boolean)
  const changes = lines.map((line) => JSON.parse(line) as OrderProgress)
  const last = new Map(changes.map((change) => [change.node, change]))
  return { exitCode, stderr: String(stderr), changes, last }
}

describe('plumb run', () => {
  it('runs the agent of a connected node, and prints the result with commit and report', async () => {
    const agent = await startAgent('web1')
    const { stdout, exitCode } = await plumb(['run', 'WEB1', 'nowhere', ...server.places])
    const commit = repository.git('rev-parse', 'HEAD').slice(0, 10)
    expect(String(stdout)).toMatch(
      new RegExp(`^web1: finished with changes \\(commit ${commit}, report [0-9a-f-]{36}\\)$`, 'm'),
    )
    expect(String(stdout)).toContain('nowhere: not connected\n')
    expect(String(stdout)).toContain('2 nodes: 1 finished with changes, 1 not connected')
    expect(exitCode).toBe(1)
    expect(agent.logged()).toMatch(/Notice: Run ordered by \S+ \([0-9a-f-]{36}\)/)

    const { exitCode: status, last } = await order('web1', '--noop', '--tags', 'two')
    expect([status, last.get('web1')]).toMatchObject([0, { state: 'finished', status: 0 }])
    const noop = agent.logged().slice(agent.logged().lastIndexOf('Run ordered by'))
    expect(noop).toContain('second')
    expect(noop).not.toContain('first')

    // The report has the ID of the order as its job ID, and the UUID of the result.
    const { report, id } = last.get('web1')!
    const query = `reports[transaction_uuid, job_id, noop] { certname = "web1" and job_id = "${id}" }`
    const path = `/pdb/query/v4?query=${encodeURIComponent(query)}`
    await expect.poll(async () => (await askServer(server, path)).text).toContain(String(report))
    expect((await order('web1', '--environment', 'missing')).exitCode).toBe(1)
  })

  it('finds nodes by a query, and has the exit status of the runs', async () => {
    await startAgent('broken1')
    const query = `nodes[certname] { certname ~ "^broken" }`
    await expect.poll(async () => (await order('--query', query)).exitCode, { timeout: 20_000 }).toBe(4)
    expect((await order('--query', 'nodes[certname] { certname = "none" }')).stderr).toContain('No nodes match')
    expect((await order('--query', 'nodes[')).stderr).toContain('The query of nodes failed')
    expect((await plumb(['run', ...server.places])).stderr).toContain('No nodes given')
  })

  it('is refused while runs are disabled, or while a run is in progress', async () => {
    const agent = await startAgent('slow1')
    await agent.command('--disable', 'because of the move')
    const disabled = await order('slow1')
    expect([disabled.exitCode, disabled.last.get('slow1')]).toMatchObject([
      1,
      { state: 'refused', reason: 'disabled', message: expect.stringContaining('because of the move') },
    ])
    await agent.command('--enable')
    writeFileSync(hold, '')
    const running = order('slow1')
    await agent.saying('Run ordered by')
    const second = await order('slow1')
    rmSync(hold)
    expect(second.last.get('slow1')).toMatchObject({ state: 'refused', reason: 'running' })
    const { changes, exitCode } = await running
    expect(changes.map(({ state }) => state)).toEqual(expect.arrayContaining(['started', 'finished']))
    expect(exitCode).toBe(0)
  })

  it('stops the runs that have not started after Ctrl-C, and waits for the others', async () => {
    await startAgent('slow2')
    await startAgent('slow3')
    const words = ['run', 'slow2', 'slow3', '--concurrency', '1', ...server.places]
    const child = spawn(process.execPath, [plumbMain, ...words])
    children.push(child)
    let said = ''
    child.stdout.on('data', (data: Buffer) => (said += data.toString()))
    const ended = new Promise((done) => child.once('exit', done))
    await expect.poll(() => said, { timeout: 10_000 }).toContain('slow2: started')
    child.kill('SIGINT')
    expect(await ended).toBe(1)
    expect(said).toContain('slow2: finished with changes')
    expect(said).toContain('slow3: stopped before the start')
  })

  it('gets the result of a run during which the server was killed and started again', async () => {
    const agent = await startAgent('slow4')
    const { port } = server
    const running = order('slow4')
    await agent.saying('Run ordered by')
    server.process.kill('SIGKILL')
    server = await startServer({
      repository: repository.bare,
      folder,
      settings: { ...settings, serverport: `${port}` },
    })
    const { last, exitCode } = await running
    expect([exitCode, last.get('slow4')]).toMatchObject([0, { state: 'finished', status: 2 }])
  })

  it('is not possible with orders = none', async () => {
    const agent = await startAgent('deaf1', ['--orders', 'none'])
    expect((await order('deaf1')).last.get('deaf1')).toMatchObject({ state: 'unconnected' })
    expect(agent.logged()).not.toContain('Waiting for orders')
  })
})

describe('the right to order runs', () => {
  const run = (...words: string[]) =>
    plumb(['run', 'web1', '--server', 'localhost', '--serverport', String(server.port), ...words])
  const token = async (scope: string) => {
    const { stdout } = await plumb(['token', 'create', `for-${scope}`, '--scope', scope, ...server.places])
    const file = join(scratchFolder('token'), 'token')
    writeFileSync(file, String(stdout).trim().split('\n').at(-1)!.trim(), { mode: 0o600 })
    return ['--token-file', file, '--confdir', server.confdir, '--vardir', server.vardir]
  }

  it('is the scope of a token, and is recorded in the audit log', async () => {
    const withToken = await token('run')
    const allowed = await run(...withToken)
    expect(String(allowed.stdout)).toContain('web1: finished with changes')
    const denied = await run(...(await token('query')))
    expect([denied.exitCode, String(denied.stderr)]).toEqual([1, expect.stringContaining('Forbidden request')])
    const elsewhere = await run(...withToken, '--environment', 'production')
    expect([elsewhere.exitCode, String(elsewhere.stderr)]).toEqual([
      1,
      expect.stringContaining('Only a client certificate may choose the environment'),
    ])
    const { stdout } = await plumb(['audit', 'log', '--kind', 'run', '--render-as', 'json', ...server.places])
    expect(String(stdout)).toContain('"by":"token \'for-run\'"')
  })

  it('is not that of a request without a WebSocket', async () => {
    const answer = await askServer(server, '/plumb/v1/orders')
    expect([answer.status, answer.text]).toEqual([426, 'A WebSocket is required'])
  })
})

describe('a request to upgrade a connection', () => {
  /** Sends a request without a client certificate. Returns the response; the server must close the connection. */
  async function send(head: string): Promise<string> {
    const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.write(`${head}\r\nHost: localhost\r\nConnection: Upgrade\r\n\r\n`)
    let text = ''
    for await (const data of socket) text += String(data)
    return text
  }

  it.each([
    ['GET /plumb/v1/orders HTTP/1.1\r\nUpgrade: websocket', '403'],
    ['GET /plumb/v1/orders HTTP/1.1\r\nUpgrade: h2c', '403'],
    ['GET /status/v1/simple HTTP/1.1\r\nUpgrade: websocket', '400'],
    ['POST /plumb/v1/orders HTTP/1.1\r\nUpgrade: websocket\r\nContent-Length: 9', '400'],
    ['PUT /puppet/v3/report/a HTTP/1.1\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked', '400'],
  ])('ends at once: %s', async (head, status) => {
    expect(await send(head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })
})

describe('a server with half-open sockets', () => {
  it('keeps its nodes', async () => {
    const silent = Array.from({ length: 5000 }, () => connect({ port: server.port, host: '127.0.0.1' }))
    for (const socket of silent) socket.on('error', () => {})
    await expect.poll(() => silent.filter(({ destroyed, pending }) => destroyed || !pending).length).toBe(5000)
    for (const socket of silent.slice(0, 1500)) socket.write('\x16\x03\x01')
    expect((await order('web1')).last.get('web1')).toMatchObject({ state: 'finished' })
    for (const socket of silent) socket.destroy()
  })
})
