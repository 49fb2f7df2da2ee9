// The honest people: a change is pushed now and then, and looked at until it is served; certificates are listed.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { administrator } from './place.js'

const pushEveryMs = 30_000
const listEveryMs = 10_000
const lookEveryMs = 100
const patienceMs = 60_000

/** Works until it is stopped, which ends what has begun; `heard` is told how long each thing took, and what failed. */
export function honestOperator({ port, repository, credentials, server, heard }) {
  const { ca, known } = JSON.parse(readFileSync(credentials, 'utf8'))
  const connection = { host: '127.0.0.1', port, ca, ...known[administrator], servername: 'localhost', agent: false }
  const work = { stopped: false, server }
  const both = [
    inTurn(work, pushEveryMs, () => push(work, connection, repository, heard)),
    inTurn(work, listEveryMs, () => listCertificates(connection, heard)),
  ]
  return async () => {
    work.stopped = true
    await Promise.all(both.map((stop) => stop()))
  }
}

/** Does it at once and then so often, never twice at a time; answers how to stop. */
function inTurn(work, everyMs, once) {
  let last = Promise.resolve()
  const next = () => {
    last = last.then(() => (work.stopped ? undefined : once()))
  }
  const timer = setInterval(next, everyMs)
  next()
  return async () => {
    clearInterval(timer)
    await last
  }
}

async function push(work, connection, repository, heard) {
  const kind = 'push until it is served'
  const started = performance.now()
  const commit = repository.change()
  while (work.server.end() === undefined && performance.now() < started + patienceMs) {
    const { status, text } = await get(connection, '/status/v1/services/server?level=debug')
    if (status === 200 && commitIn(text) === commit) return heard({ kind, ms: performance.now() - started })
    await new Promise((done) => setTimeout(done, lookEveryMs))
  }
  heard({ kind, failure: `not served in ${Math.round((performance.now() - started) / 1000)} s` })
}

function commitIn(text) {
  return JSON.parse(text).status.environments.find(({ name }) => name === 'production')?.commit
}

async function listCertificates(connection, heard) {
  const started = performance.now()
  const { status, text } = await get(connection, '/puppet-ca/v1/certificate_statuses/all')
  const failure = status === 200 ? undefined : `${status}: ${text.slice(0, 200)}`
  heard({ kind: 'list of certificates', ms: performance.now() - started, failure })
}

/** The status is the code of an error when there is no answer. */
function get(connection, path) {
  return new Promise((done) => {
    const failed = (error) => done({ status: error.code ?? error.message, text: '' })
    const sent = request({ ...connection, path, headers: { Accept: 'application/json' } }, (answer) => {
      let text = ''
      answer.on('data', (data) => {
        text += data
      })
      answer.once('error', failed)
      answer.once('end', () => done({ status: answer.statusCode, text }))
    })
    sent.setTimeout(patienceMs, () => sent.destroy(new Error(`no answer in ${patienceMs / 1000} s`)))
    sent.once('error', failed)
    sent.end()
  })
}
