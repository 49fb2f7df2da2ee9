// Processes that ask the server: the honest agents, and one for each hostile kind. All end when this one does.
import { fork } from 'node:child_process'

/** Honest agents in their rhythm; `heard` is told of each answer. */
export function honestAgents(given, heard) {
  const child = start('honest.js', given, [])
  child.on('message', heard)
  child.once('exit', (code) => (code ?? 1) > 0 && heard({ kind: 'agents', failure: `they ended with status ${code}` }))
  return child
}

/** Hostile clients of some kinds, their first acts spread over a few seconds; `heard` is told of each act. */
export function hostileClients(names, given, heard) {
  const addresses = (index) => Array.from({ length: 4 }, (_, number) => `127.66.${index + 1}.${number + 1}`)
  return names.map((name, index) => {
    const child = start('hostile.js', { ...given, name, addresses: addresses(index) }, ['--max-old-space-size=400'])
    child.on('message', heard)
    child.once('exit', (code) => code !== 0 && code !== null && heard({ kind: name, event: 'lost', code }))
    return child
  })
}

/** Resolves when they have ended; those that have not within the time are ended, and the answer is false. */
export async function allEnded(children, withinMs) {
  let byThemselves = true
  const late = setTimeout(() => {
    byThemselves = false
    killAll(children)
  }, withinMs)
  await Promise.all(children.map((child) => hasEnded(child) || new Promise((done) => child.once('exit', done))))
  clearTimeout(late)
  return byThemselves
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}

export function killAll(children) {
  for (const child of children) child.kill('SIGKILL')
}

function start(file, given, execArgv) {
  const path = new URL(file, import.meta.url)
  return fork(path, [JSON.stringify(given)], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
