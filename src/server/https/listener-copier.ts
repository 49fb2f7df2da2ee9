import '../../base/threads/debugger.ts'
import type { Server } from 'node:net'
import { endWithParent } from '../../base/program/script-process.ts'

endWithParent()
// Sends the server back `count` times; the parent gets a copy of its listening socket each time.
process.on('message', (count: number, server: Server) => {
  for (let sent = 0; sent < count; sent++) process.send?.(sent, server)
})
