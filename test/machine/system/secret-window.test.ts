import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { localFiles as files } from '../../../src/machine/system/files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const directory = scratchFolder('window')

/** Looks at the modes of all that is in a folder, as fast as it can, until it is told to end. */
const watcher = `
  const { readdirSync, statSync } = require('node:fs')
  const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads')
  const modes = new Set()
  parentPort.postMessage('ready')
  while (!receiveMessageOnPort(parentPort))
    for (const name of readdirSync(workerData)) {
      try { modes.add(statSync(workerData + '/' + name).mode & 0o777) } catch {}
    }
  parentPort.postMessage([...modes])
`

it('a file that only its owner may read is at no moment for others, however it is written anew', async () => {
  const path = join(directory, 'secret')
  await files.write(path, 'old', 0o600)
  const worker = new Worker(watcher, { eval: true, workerData: directory })
  await new Promise((ready) => worker.once('message', ready))
  for (let count = 0; count < 300; count++) await files.write(path, 'new')
  const modes = new Promise((told) => worker.once('message', told))
  worker.postMessage('end')
  expect(await modes).toEqual([0o600])
  await worker.terminate()
})
