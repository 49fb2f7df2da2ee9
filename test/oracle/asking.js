// A real server on the loopback interface, asked by hand.
import { request } from 'node:https'

/** Requests to a port; `more` are options of Node's, among them `key` and `cert`. */
export function askOver(/** @type {number} */ port) {
  /** @param {{ path: string, body?: string } & import('node:https').RequestOptions} asked */
  return ({ body, ...more }) =>
    new Promise((done) => {
      // A connection for each: Puppet Server 7.9.5 hangs up on the request that follows the content of a folder.
      const options = { host: '127.0.0.1', port, rejectUnauthorized: false, agent: false, ...more }
      const asked = request(options, (answer) => {
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () =>
          done({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') }),
        )
      })
      asked.on('error', ({ message }) => done({ status: 0, headers: {}, text: message }))
      asked.end(body)
    })
}
