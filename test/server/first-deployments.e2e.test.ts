import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Startup } from '../../src/server/status-v1/startup.ts'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

it('starts for so long at most', async () => {
  const production = { name: 'production', ref: 'refs/heads/production', since: undefined, refused: undefined }
  const environments = {
    status: async () => [{ ...production, commit: undefined, warnings: [] }],
    look: async () => {},
  }
  const { isUnderWay } = new Startup(environments, { settled: () => new Promise(() => {}) }, 200)
  expect(isUnderWay()).toBe(true)
  await expect.poll(isUnderWay).toBe(false)
})

describe('a server that has served nothing yet', () => {
  let host: GitHost
  let serving: Serving | undefined
  beforeAll(async () => {
    host = await openGitHost()
    host.commit('motd', { 'manifests/init.pp': 'class motd { }\n' })
    const puppetfile = `mod 'motd', git: '${host.url}/motd.git', branch: 'main'\n`
    host.commit('control', { Puppetfile: puppetfile, 'manifests/site.pp': 'include motd\n' }, 'production')
  })
  afterEach(() => serving?.stop())
  afterAll(() => host?.close())

  const start = async () => {
    const file = join(scratchFolder('first'), 'r10k.yaml')
    writeFileSync(file, `sources:\n  control: {remote: "${host.url}/control.git", interval: 1d}\n`)
    serving = await serve({ code_sources: file, puppetfile_sources: host.url })
    return serving
  }
  const simply = async () => {
    const { status, text } = await serving!.call('GET', '/status/v1/simple')
    return `${status} ${text}`
  }
  const state = async () => JSON.parse((await serving!.call('GET', '/status/v1/services/server')).text).state

  it('starts until the modules of its branches are there', async () => {
    let goOn = () => {}
    const held = new Promise<false>((done) => (goOn = () => done(false)))
    host.misbehave((request) => request.url!.startsWith('/motd.git') && held)
    const { server } = await start()
    expect(await simply()).toBe('503 starting')
    expect(await state()).toBe('starting')
    expect((await serving!.call('GET', '/status/v1/simple/server')).status).toBe(503)
    goOn()
    await expect.poll(simply, { interval: 50 }).toBe('200 running')
    expect(await state()).toBe('running')
    expect(await server.environments.list()).toEqual(['production'])
  })

  it('runs when they cannot be had', async () => {
    let goOn = () => {}
    const held = new Promise<true>((done) => (goOn = () => done(true)))
    host.misbehave(async (request, response) => {
      if (!request.url!.startsWith('/motd.git')) return false
      await held
      response.writeHead(500).end()
      return true
    })
    const { server } = await start()
    expect(await simply()).toBe('503 starting')
    goOn()
    await expect.poll(simply, { interval: 50 }).toBe('200 running')
    expect(await server.environments.list()).toEqual([])
    const [production] = await server.environments.status()
    expect(production?.refused?.reason).toMatch(/motd/)
    host.misbehave()
  })
})
