import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { rolloutWhen } from './simulated-fleet.ts'

const file = join(scratchFolder('default-rollout'), 'rollout.yaml')
let serving: Serving | undefined
afterEach(() => serving?.stop())

it('has the default plan for an environment without rollout.yaml, and reads it again in a reload', async () => {
  writeFileSync(file, 'waves: [ { name: everyone } ]\n')
  const repository = controlRepository({ 'manifests/site.pp': '' })
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', default_rollout: file })
  const waves = async () => (await serving!.server.rollouts!.get('production')).rollout?.waves.map(({ name }) => name)
  const push = async (text: string) => {
    const commit = repository.push({ 'manifests/site.pp': `# ${text}` })
    await serving!.server.reload()
    await rolloutWhen(serving!, ({ phase }) => phase === 'complete')
    expect((await serving!.server.rollouts!.get('production')).rollout?.to).toBe(commit)
  }
  await push('second')
  expect(await waves()).toEqual(['everyone'])
  writeFileSync(file, 'waves: [ { name: all }, { name: late } ]\n')
  await expect(serving.server.reload()).rejects.toThrow("The wave 'all' contains all remaining nodes")
  writeFileSync(file, 'waves: [ { name: some, nodes: { percent: 10 } } ]\n')
  await push('third')
  expect(await waves()).toEqual(['some', 'rest'])
})

it('does not start with an invalid default plan', async () => {
  writeFileSync(file, 'waves: []\n')
  const repository = controlRepository({ 'manifests/site.pp': '' })
  await expect(serve({ code_repo: repository.bare, store: 'sqlite', default_rollout: file })).rejects.toThrow(
    "the rollout requires at least one wave in 'waves'",
  )
  serving = undefined
})
