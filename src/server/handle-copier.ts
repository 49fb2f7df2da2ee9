import '../base/no-debugger.ts'
import type { SendHandle } from 'node:child_process'

// Sends a handle back as often as it is told to: each time the other side gets a copy.
process.on('message', (count: number, handle: SendHandle) => {
  for (let sent = 0; sent < count; sent++) process.send?.(sent, handle)
})
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
