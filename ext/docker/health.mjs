#!/usr/bin/env node
// The health of the server beside this process: status 0 where it says that it runs. What it says is no secret, and its
// certificate is of an authority that only volumes know: nothing is believed, and nothing told.
import { request } from 'node:https'

const port = Number(process.env.PLUMB_HEALTH_PORT ?? 8140)
const asking = request(
  { host: '127.0.0.1', port, path: '/status/v1/simple', rejectUnauthorized: false, signal: AbortSignal.timeout(4000) },
  (answer) => {
    answer.resume()
    process.exitCode = answer.statusCode === 200 ? 0 : 1
  },
)
asking.on('error', ({ message }) => {
  console.error(message)
  process.exitCode = 1
})
asking.end()
