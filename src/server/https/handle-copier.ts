import '../../base/threads/no-debugger.ts'
import type { SendHandle } from 'node:child_process'
import { endWithParent } from '../../base/threads/own-process.ts'

endWithParent()
// Sends a handle back as often as it is told to: each time the other side gets a copy.
process.on('message', (count: number, handle: SendHandle) => {
  for (let sent = 0; sent < count; sent++) process.send?.(sent, handle)
})
