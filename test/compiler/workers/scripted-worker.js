// A worker that does what the name of the node says, in the protocol of src/compiler/workers/compile-job.ts.
import { parentPort, threadId } from 'node:worker_threads'

const deeds = {
  answer: (id) => say({ kind: 'catalog', id, catalog: catalog() }),
  // Without need of a processor: it takes as long on a machine where others compute.
  long: (id) => {
    sleep(2000)
    say({ kind: 'catalog', id, catalog: catalog() })
  },
  // The same; but to compile the commit `stuck` ahead comes to no end.
  ahead: (id, { codeId, purpose }) => {
    sleep(codeId === 'stuck' && purpose?.kind === 'trace' ? undefined : 1000)
    say({ kind: 'catalog', id, catalog: catalog() })
  },
  sleep: () => sleep(),
  // Wall clock: a catalog that takes its time.
  slowly: (id) => setTimeout(() => say({ kind: 'catalog', id, catalog: catalog() }), 150),
  fail: (id) => say({ kind: 'failure', id, failure: failure('UNKNOWN_VARIABLE', 'Evaluation Error: no') }),
  bug: (id) => say({ kind: 'failure', id, failure: failure(undefined, 'undefined is not a function') }),
  loop: () => {
    for (;;);
  },
  throw: () => {
    throw new Error('out of order')
  },
  exit: () => process.exit(7),
  hoard: () => {
    const all = []
    for (;;) all.push(new Array(100_000).fill(all.length))
  },
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function catalog() {
  return {
    origin: 'compiled',
    environment: 'production',
    codeId: 'abc',
    body: Buffer.from(String(threadId)),
    exports: [],
    collects: [],
    logs: [],
  }
}

function failure(code, message) {
  const logs = [{ level: 'notice', message: 'before', source: 'Puppet', file: undefined, line: undefined }]
  const diagnostic = code && { code, severity: 'error', message, span: undefined, hint: 'Try again.' }
  return { error: { message, stack: undefined, diagnostic }, logs }
}

function say(message) {
  parentPort.postMessage(message)
}

parentPort.on('message', ({ id, job }) => deeds[job.node.name.split('.')[0]](id, job))
say({ kind: 'ready' })
