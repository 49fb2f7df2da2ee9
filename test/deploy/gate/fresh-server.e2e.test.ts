import { afterEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../server/serving.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { GateWorld } from './world.ts'

let serving: Serving | undefined
afterEach(() => serving?.stop())

describe('a server of which no node has asked anything', () => {
  it('lets pushes in though the hook may not do without a server', async () => {
    const world = new GateWorld(scratchFolder('gate-fresh'), { 'manifests/site.pp': "notify { 'one': }\n" }, {}, [
      '--gate_without_server',
      'refuse',
    ])
    serving = await serve(world.serverSettings)
    const commit = world.commit({ 'manifests/site.pp': "notify { 'two': }\n" })
    expect(await world.push()).toMatchObject({ status: 0 })
    expect(world.at()).toBe(commit)
    expect(await world.push(['HEAD:feature'])).toMatchObject({ status: 0 })
  })
})
