// Loads the code of a thread from the bundle, and stores what V8 compiled of it on request.
import { workerData } from 'node:worker_threads'

const { file, role, port } = workerData.build
const { CachedCode } = await import('#built/base/program/cached-code.js')
const code = new CachedCode(role)
code.load(file)
port.once('message', () => {
  code.save()
  port.postMessage('saved')
})
