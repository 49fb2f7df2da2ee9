import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { RubyWatch } from '../../src/ruby/run-watch.ts'
import { SharedRuby } from '../../src/ruby/worker-share.ts'

/** A worker runs what is shipped; `npm test` builds it first. */
const shipped = (name: string) => pathToFileURL(resolve(import.meta.dirname, `../../dist/ruby/${name}.js`)).href

const program = `
const { parentPort, workerData } = require('node:worker_threads')
Promise.all([import('${shipped('worker-share')}'), import('${shipped('ruby-sandbox')}')]).then(([{ createWorkerShare }, { createRubySandbox }]) => {
  const share = createWorkerShare(workerData)
  parentPort.on('message', (code) => parentPort.postMessage(eval(code)))
})
`

const shared = new SharedRuby()
const workers = [1, 2].map(() => {
  const bridge = shared.bridge(new RubyWatch())
  return new Worker(program, { eval: true, workerData: bridge, transferList: [bridge.port] })
})

afterAll(() => Promise.all(workers.map((worker) => worker.terminate())))

/** What code gives in a worker; it says `share`. */
function given(index: number, code: string): Promise<unknown> {
  return new Promise((answer, fail) => {
    workers[index]!.once('message', answer)
    workers[index]!.once('error', fail)
    workers[index]!.postMessage(code)
  })
}

describe('workers of one process', () => {
  it('know what one of them learned of a type', async () => {
    const description = { parameters: ['name'], properties: [], namevars: ['name'], values: [], isomorphic: true }
    expect(await given(0, "share.types.get('digest/known')")).toBeUndefined()
    await given(0, `share.types.set('digest/known', ${JSON.stringify(description)})`)
    await given(0, "share.types.set('digest/none', null)")
    expect(await given(1, "share.types.get('digest/known')")).toEqual(description)
    expect(await given(1, "share.types.get('digest/none')")).toBeNull()
    expect(await given(1, "share.types.get('digest/other')")).toBeUndefined()
  })

  it('run Ruby from the same memory', async () => {
    const memory = 'share.image().snapshot.pages.buffer instanceof SharedArrayBuffer'
    const sum = "createRubySandbox(share.image(), {}).call('evaluate', ['1 + 1', 'x.rb'], () => null)"
    for (const index of [0, 1]) {
      expect(await given(index, memory)).toBe(true)
      expect(await given(index, sum)).toBe(2)
    }
  })
})
