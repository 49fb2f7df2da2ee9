// The real server, as a process that may stall or die: nothing here waits for it for ever.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, placesIn } from '../server/plumbline.js'
import { memoryByShare, processorTime } from '../server/process.js'

/** Open files that the server may have: few enough for an attacker to reach, as many as a small site's service has. */
export const descriptors = 4096
/** It ends when this process does, however that ends. */
const bounds = ['--pdeathsig', 'KILL', 'prlimit', `--nofile=${descriptors}:${descriptors}`]
const startWithinMs = 60_000
const stopWithinMs = 35_000
const markWithinMs = 10_000

/** Starts it on any free port of the loopback interface. `paused` hears how long its event loop stood still at most; profiles go to a folder. */
export async function startServer(folder, settings, { paused, profile }) {
  const output = join(folder, 'server.log')
  const file = openSync(output, 'w')
  const words = ['server', ...settings, '--serverport', '0', '--bindaddress', '127.0.0.1', '--certname', 'localhost']
  const watch = new URL('loop-watch.js', import.meta.url).href
  const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  const program = [process.execPath, ...profiling, '--import', watch, main, ...words, ...placesIn(folder)]
  const child = spawn('setpriv', [...bounds, ...program], {
    stdio: ['ignore', file, file, 'ipc'],
  })
  closeSync(file)
  let end
  /** @type {Promise<void>} */
  const ended = new Promise((done) =>
    child.once('exit', (code, signal) => {
      end = `ended with ${signal ?? `status ${code}`}`
      done()
    }),
  )
  child.on('error', () => {})
  child.on('message', (/** @type {{ longest: number }} */ { longest }) => paused(longest))
  const said = () => readFileSync(output, 'utf8')
  const server = {
    pid: child.pid,
    port: await portOf(said, () => end),
    /** Undefined while it runs; then how it ended. */
    end: () => end,
    lastWords: () => said().split('\n').filter(worthSaying).slice(-12).join('\n'),
    /** Asks how late its event loop was, which `paused` hears. */
    ask: () => child.connected && child.send('loop', () => {}),
    /** Begins a new phase; answers how late the event loop was in the last one, or nothing when it stands still. */
    mark: () => mark(child),
    /** Bytes of memory (`peak`: the most ever), open files, times; undefined when it is gone. */
    usage: () => (end ? undefined : usageOf(child.pid)),
    kill: () => child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await ended
      clearTimeout(late)
    },
  }
  return server
}

async function portOf(said, ended) {
  const until = performance.now() + startWithinMs
  while (performance.now() < until) {
    const [, port] = /^.*serving .*:(\d+)$/m.exec(said()) ?? []
    if (port) return Number(port)
    if (ended()) break
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`The server does not serve:\n${said()}`)
}

/** Not one line for each request. */
function worthSaying(line) {
  return line.trim() !== '' && !line.includes('"msg":"request"')
}

let marks = 0

/** A late answer to an earlier mark is none to this one. */
function mark(child) {
  if (!child.connected) return undefined
  const question = `mark ${++marks}`
  return new Promise((done) => {
    const hear = (answer) => answer.question === question && end(answer)
    const end = (answer) => {
      clearTimeout(late)
      child.off('message', hear)
      done(answer)
    }
    const late = setTimeout(end, markWithinMs)
    child.on('message', hear)
    child.send(question, (error) => error && end(undefined))
  })
}

function usageOf(pid) {
  try {
    const { own, children } = memoryByShare(pid)
    const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    // Of its first thread, which has the event loop: nanoseconds on a processor, and ready but waiting for one.
    const waitedMs = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
    const open = readdirSync(`/proc/${pid}/fd`).length
    return { own, children, peak, open, processorMs: processorTime(pid), waitedMs }
  } catch {
    return undefined
  }
}
