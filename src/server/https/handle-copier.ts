import '../../base/threads/debugger.ts'
import type { SendHandle } from 'node:child_process'
import { endWithParent } from '../../base/threads/script-process.ts'

endWithParent()
// Sends the handle back `count` times; the parent gets a copy each time.
process.on('message', (count: number, handle: SendHandle) => {
  for (let sent = 0; sent < count; sent++) process.send?.(sent, handle)
})
