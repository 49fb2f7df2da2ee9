// A connection that the attacker leaves open: who closed it.

/** Waits so long, or until the server closes it. */
export async function heldOpen(socket, { pause }, ms) {
  if (typeof socket === 'string') return socket
  if (socket.destroyed) return 'closed by the server'
  const closed = new Promise((done) => socket.once('close', () => done('closed by the server')))
  return (await Promise.race([closed, pause(ms)])) ?? 'open all the time'
}

/** A byte each half second, and who closed it. */
export async function dripping(socket, attack, ms) {
  if (typeof socket === 'string') return socket
  const timer = setInterval(() => socket.writable && socket.write('a'), 500)
  socket.resume()
  try {
    return await heldOpen(socket, attack, ms)
  } finally {
    clearInterval(timer)
  }
}
