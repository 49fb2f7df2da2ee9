// The scripted worker on a machine where a thread takes longer to start than a catalog may take.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000)
await import('./scripted-worker.js')
