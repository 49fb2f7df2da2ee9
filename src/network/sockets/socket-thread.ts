import { offerBridge } from '../../base/threads/bridge-thread.ts'
import { openThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { SocketRequest, SocketResponse } from '../../ruby/node/socket-messages.ts'
import { Sockets } from './sockets.ts'

// Opens and reads sockets for the parent thread, which waits for each response.
void offerBridge(() => {
  const sockets = new Sockets()
  return openThreadBridge<SocketRequest, SocketResponse>((request) => sockets.answer(request))
})
