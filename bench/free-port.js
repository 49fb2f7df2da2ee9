import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of the loopback interface that nobody listens on: below those that Linux gives to who asks for any port. So nobody
 * gets it by chance before, or while, it is used; tests that run beside this one ask for many.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    if (await isFree(port)) return port
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((done, failed) => {
    const probe = createServer()
    probe.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? done(false) : failed(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
