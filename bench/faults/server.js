// The real server, which is killed and started again, always at one port.
import { spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, placesIn } from '../server/plumbline.js'

const startWithinMs = 120_000

/** The library that gives a process another clock, where Debian's `faketime` is installed. */
const clockLibrary = readdirSync('/usr/lib')
  .map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

export const canSetClock = clockLibrary !== undefined

/** Begins a start; `clock` is how far its clock is off: `-2h`. It and all that it starts end when this process does. */
export function beginServer(place, { port, clock }) {
  const output = join(place.folder, 'server.log')
  const from = existsSync(output) ? readFileSync(output).length : 0
  const file = openSync(output, 'a')
  const words = ['server', ...place.settings, '--serverport', String(port), '--bindaddress', '127.0.0.1']
  const program = [process.execPath, main, ...words, '--certname', 'localhost', ...placesIn(place.folder)]
  const other = clock && { LD_PRELOAD: clockLibrary, FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  // A group of its own: it can be killed with its children, as by systemd, or alone, as for lack of memory.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...program], {
    detached: true,
    stdio: ['ignore', file, file],
    env: { ...process.env, ...other },
  })
  let end
  const ended = new Promise((done) =>
    child.once('exit', (code, signal) => {
      end = `ended with ${signal ?? `status ${code}`}`
      done(undefined)
    }),
  )
  const said = () => readFileSync(output).subarray(from).toString()
  return {
    port,
    name: 'the server',
    /** Undefined while it runs. */
    end: () => end,
    said,
    /** Resolves when it serves. Throws what it said where it does not. */
    async ready() {
      const until = performance.now() + startWithinMs
      while (!/^.*serving .*:\d+$/m.test(said())) {
        if (end !== undefined || performance.now() > until)
          throw new Error(`The server does not serve (${end ?? 'it waits'}):\n${said().slice(-3000)}`)
        await new Promise((done) => setTimeout(done, 20))
      }
    },
    /** Ends it by SIGKILL, alone or with all that it started. */
    async kill(withChildren) {
      if (end === undefined && child.pid !== undefined) process.kill(withChildren ? -child.pid : child.pid, 'SIGKILL')
      await ended
    },
  }
}
