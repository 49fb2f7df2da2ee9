// SIGUSR1 to the server's process, which opens Node's debugger where nothing prevents it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Breach } from '../attack.js'

const debuggerPort = 9229
const listening = '0A'

export const debuggerSignals = {
  every: 20,
  async act({ pid, pause }) {
    process.kill(pid, 'SIGUSR1')
    await pause(2000)
    if (listens(pid)) throw new Breach(`the debugger listens on port ${debuggerPort} after SIGUSR1`)
    return 'nothing listens'
  },
}

/** Others may have a debugger on this machine: only a socket of this process counts. */
function listens(pid) {
  const hex = debuggerPort.toString(16).toUpperCase()
  const inodes = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === listening)
    .map((fields) => `socket:[${fields[9]}]`)
  return readdirSync(`/proc/${pid}/fd`).some((name) => inodes.includes(linkOf(`/proc/${pid}/fd/${name}`) ?? ''))
}

function linkOf(path) {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
