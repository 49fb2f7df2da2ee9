import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openGitEnvironments } from '../../../../src/code/environments/git/git-environments.ts'
import type { GitObjectSource } from '../../../../src/code/git/git-object-source.ts'
import { openIsomorphicRepository } from '../../../../src/code/git/isomorphic-repository.ts'
import { openRepository } from '../../../../src/code/git/repository-opener.ts'
import { controlRepository } from '../../../support/control-repository.ts'
import { testSettings } from '../settings.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A worker runs what is shipped; `npm test` builds it first. */
const shipped = (name: string) =>
  pathToFileURL(resolve(import.meta.dirname, `../../../../dist/code/environments/${name}.js`)).href

const program = `
const { parentPort, workerData } = require('node:worker_threads')
Promise.all([import('${shipped('git/blob-bridge')}'), import('${shipped('environment-snapshot')}')]).then(
  ([{ createBridgedBlobReader }, { createSnapshotOpener }]) => {
    const opener = createSnapshotOpener(createBridgedBlobReader(workerData))
    parentPort.on('message', ({ snapshot, paths, algorithm }) => {
      const { tree } = opener.open(snapshot)
      parentPort.postMessage(paths.map((path) => {
        try {
          return (algorithm ? tree.digest(path, algorithm) : tree.readText(path)) ?? null
        } catch (error) {
          return String(error)
        }
      }))
    })
  })
`

async function workerOf(open: (path: string) => Promise<GitObjectSource>, length = 2_000_000) {
  const repository = controlRepository()
  const text = 'x'.repeat(length)
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
  const digest = (algorithm: string, ...paths: string[]) =>
    new Promise<(string | null)[]>((answer, fail) => {
      worker.once('message', answer)
      worker.once('error', fail)
      worker.postMessage({ snapshot, paths, algorithm })
    })
  return { ask, digest, text, source }
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

  it('gets checksums without the bytes, and each only once', async () => {
    const { digest, source, text } = await workerOf(open)
    const asked = vi.spyOn(source, 'digestBlob')
    const sum = (algorithm: string, part = text) => createHash(algorithm).update(part).digest('hex')
    const paths = ['modules/m/files/a', 'modules/m/files/b', 'modules/m/files/b']
    expect(await digest('sha256', ...paths)).toEqual([sum('sha256', 'a'), sum('sha256'), sum('sha256')])
    expect(await digest('md5lite', paths[1]!)).toEqual([sum('md5', text.slice(0, 512))])
    expect(asked.mock.calls.map(([, { hash }]) => hash)).toEqual(['sha256', 'sha256', 'md5'])
  })

  it('is told which file is too large to be read, and to fetch it', async () => {
    const { ask, digest } = await workerOf(open, 32 * 1024 * 1024 + 1)
    expect(await ask('modules/m/files/b')).toEqual([
      expect.stringMatching(/modules\/m\/files\/b is larger than 33554432 bytes, the limit for files that functions/),
    ])
    expect(await digest('md5', 'modules/m/files/b')).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
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
