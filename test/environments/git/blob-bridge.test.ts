import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { openGitEnvironments } from '../../../src/environments/git/git-environments.ts'
import type { GitObjectSource } from '../../../src/git/git-object-source.ts'
import { openIsomorphicRepository } from '../../../src/git/isomorphic.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { testSettings } from '../settings.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A worker runs what is shipped; `npm test` builds it first. */
const shipped = (name: string) =>
  pathToFileURL(resolve(import.meta.dirname, `../../../dist/environments/${name}.js`)).href

const program = `
const { parentPort, workerData } = require('node:worker_threads')
Promise.all([import('${shipped('git/blob-bridge')}'), import('${shipped('environment-snapshot')}')]).then(
  ([{ readThrough }, { snapshotOpener }]) => {
    const opener = snapshotOpener(readThrough(workerData))
    parentPort.on('message', ({ snapshot, paths }) => {
      const { tree } = opener.open(snapshot)
      parentPort.postMessage(paths.map((path) => {
        try {
          return tree.readText(path) ?? null
        } catch (error) {
          return String(error)
        }
      }))
    })
  })
`

async function workerOf(open: (path: string) => Promise<GitObjectSource>) {
  const repository = controlRepository()
  const text = 'x'.repeat(2_000_000)
  repository.push({ 'manifests/site.pp': 'site', 'modules/m/files/a': 'a', 'modules/m/files/b': text })
  const source = await open(repository.bare)
  const environments = await openGitEnvironments({ source, settings: testSettings(), interval: 0 })
  cleanups.push(() => environments.close())
  const bridge = environments.bridge()
  const worker = new Worker(program, { eval: true, workerData: bridge, transferList: [bridge.port] })
  cleanups.push(() => worker.terminate())
  const { snapshot } = (await environments.get('production'))!
  const ask = (...paths: string[]) =>
    new Promise<(string | null)[]>((answer, fail) => {
      worker.once('message', answer)
      worker.once('error', fail)
      worker.postMessage({ snapshot, paths })
    })
  return { ask, text, source }
}

const sources: [string, (path: string) => Promise<GitObjectSource>][] = [
  ['git', (path) => openRepository(path)],
  ['isomorphic-git', openIsomorphicRepository],
]

describe.each(sources)('a worker, with %s', (_, open) => {
  it('reads an environment as if it lay there, what was not loaded too', async () => {
    const { ask, text } = await workerOf(open)
    const paths = ['manifests/site.pp', 'modules/m/files/a', 'modules/m/files/b', 'modules/m/files/none']
    expect(await ask(...paths)).toEqual(['site', 'a', text, null])
    expect(await ask(...paths.reverse())).toEqual([null, text, 'a', 'site'])
  })

  it('is told what went wrong', async () => {
    const { ask, source } = await workerOf(open)
    source.readBlob = async () => {
      throw new Error('the disk is gone')
    }
    expect(await ask('modules/m/files/a', 'manifests/site.pp')).toEqual([
      expect.stringContaining('the disk is gone'),
      'site',
    ])
  })
})
