// trapperkeeper-authorization of Debian's Puppet Server, in a process that answers one file of rules at a time.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('authorization.clj', import.meta.url))
const jar = '/usr/share/puppetserver/puppetserver.jar'

/**
 * @typedef {{ method: string, url: string, certificate?: number, headers?: Record<string, string> }} AskedRequest
 * @typedef {{ error: string } | { verdicts: (boolean | string)[] }} Answer A string is the text of an exception.
 */

/** Starts the process, which takes half a minute. */
export function openAuthorizationOracle() {
  const options = ['-Xmx1g', '-XX:+UseSerialGC', '-cp', jar, 'clojure.main', program]
  const child = spawn('java', options, { stdio: ['pipe', 'pipe', 'ignore'] })
  /** @type {((line: string) => void)[]} */
  const waiting = []
  // Whoever waits for an answer then has none.
  child.on('exit', () => {
    for (const take of waiting.splice(0)) take('{"error": "the process of Puppet Server has ended"}')
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) waiting.shift()?.(line)
  })
  const ask = (/** @type {object} */ question) =>
    new Promise((resolve) => {
      waiting.push((line) => resolve(JSON.parse(line)))
      child.stdin.write(`${JSON.stringify(question)}\n`)
    })
  return {
    /** @param {readonly string[]} pems */
    setCertificates: (pems) => ask({ certificates: pems }),
    /** @param {string} conf @param {readonly AskedRequest[]} requests @returns {Promise<Answer>} */
    ask: (conf, requests) => ask({ conf, requests }),
    close: () => child.kill(),
  }
}
