// What a Puppet agent asks in one run, over one connection; protocol.md's section 2. Each answer is looked at.

import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { puppetVersion } from '#built/base/puppet-version.js'
import { catalogRequest } from '../server/client.js'
import { nodeFacts } from './node-facts.js'
import { nodeReport } from './node-report.js'

/** Milliseconds after which an agent here gives an answer up. Real ones wait ten minutes; nobody should. */
const patienceMs = 60_000
const query = 'environment=production'
const plugins = `${query}&recurse=true&max_files=-1&ignore=.svn&ignore=CVS&ignore=.git&ignore=.hg&links=follow&checksum_type=sha256`
const filesOfEach = 3

/**
 * The nth run of a node. `heard` is told of each answer: its kind, milliseconds, and what was wrong with it; `judge` says
 * what is wrong with a catalog; `extra` are facts besides; `backs` says that a file is backed up, as where one changed.
 * @param {any} given
 */
export async function agentRun({ port, ca, identity, certname, localAddress, run, heard, judge, extra, backs = true }) {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    maxCachedSessions: 0,
    servername: 'localhost',
    ca,
    localAddress,
    ...identity,
  })
  /** @type {(kind: string, call: any, check?: (answer: any) => string | undefined) => Promise<any>} */
  const ask = async (kind, call, check = () => undefined) => {
    const started = performance.now()
    let answer
    let failure
    try {
      answer = await callOnce(agent, port, call)
      const about = { ...answer, asked: started, ms: performance.now() - started }
      failure = answer.status >= 300 ? `${answer.status}: ${answer.body.subarray(0, 200)}` : check(about)
    } catch (error) {
      failure = error.code ?? error.message
    }
    const bytes = { sent: Buffer.byteLength(call.body ?? ''), received: answer?.transferred ?? 0 }
    heard({ kind, ms: performance.now() - started, failure, ...bytes })
    if (failure !== undefined) throw new RunEnded()
    return answer
  }
  try {
    await wholeRun(ask, { certname, run, judge, extra, backs })
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error
  } finally {
    agent.destroy()
  }
}

/** An agent goes no further after an error. */
class RunEnded extends Error {}

async function wholeRun(ask, { certname, run, judge, extra, backs }) {
  const wrongIn = ({ body, headers, asked, ms }) =>
    judge?.(JSON.parse(body), { origin: headers['x-plumb-catalog'], asked, ms })
  await ask('node, and the connection', get(`/node/${certname}?${query}&configured_environment=production`))
  await ask('list of pluginfacts', get(`/file_metadatas/pluginfacts?${plugins}&source_permissions=use`), isList)
  const { body } = await ask(
    'list of plugins',
    get(`/file_metadatas/plugins?${plugins}&source_permissions=ignore`),
    isList,
  )
  const files = JSON.parse(body).filter(({ type }) => type === 'file')
  for (const { relative_path } of some(files, run))
    await ask('plugin', get(`/file_content/plugins/${relative_path}?${query}`, 'application/octet-stream'))

  const facts = nodeFacts(certname, run)
  const sent = { ...facts, values: { ...facts.values, ...extra } }
  const { body: text } = await ask('catalog', catalogRequest(sent), (answer) => isCatalog(answer) ?? wrongIn(answer))
  const catalog = JSON.parse(text)
  for (const [, { content_uri, checksum }] of some(Object.entries(catalog.metadata), run)) {
    const path = content_uri.replace('puppet:///', '/static_file_content/')
    const call = get(`${path}?${query}&code_id=${catalog.code_id}`, 'application/octet-stream')
    await ask('file of the catalog', call, ({ body }) => {
      const found = `{sha256}${createHash('sha256').update(body).digest('hex')}`
      return found === checksum.value ? undefined : `the file is ${found} instead of ${checksum.value}`
    })
  }
  if (backs) await backup(ask)
  const report = JSON.stringify(nodeReport(certname, catalog))
  await ask('report', put(`/report/${certname}?${query}`, report, 'application/json'), isList)
}

/** A file that was changed, on its way into the bucket. */
async function backup(ask) {
  const saved = randomBytes(4096)
  const sum = createHash('sha256').update(saved).digest('hex')
  await ask('backup', put(`/file_bucket_file/sha256/${sum}/etc/motd?${query}`, saved, 'application/octet-stream'))
}

/** A few of many, others in each run. */
function some(all, run) {
  return Array.from(
    { length: Math.min(filesOfEach, all.length) },
    (_, index) => all[(run * filesOfEach + index) % all.length],
  )
}

function get(path, accept = 'application/json') {
  return { method: 'GET', path: `/puppet/v3${path}`, accept }
}

function put(path, body, type) {
  return { method: 'PUT', path: `/puppet/v3${path}`, body, type, accept: 'application/json, application/octet-stream' }
}

function isList({ body }) {
  return Array.isArray(JSON.parse(body)) ? undefined : 'the answer is no list'
}

function isCatalog({ body }) {
  const { resources = [], code_id, metadata } = JSON.parse(body)
  if (resources.length < 100) return `the catalog has ${resources.length} resources`
  if (!/^[0-9a-f]{40}$/.test(code_id)) return `the catalog has the code_id ${code_id}`
  return metadata ? undefined : 'the catalog is not static'
}

function callOnce(agent, port, { method, path, body, type, accept = 'application/vnd.puppet.rich+json' }) {
  return new Promise((done, fail) => {
    const headers = {
      Accept: accept,
      'Accept-Encoding': 'gzip',
      'X-Puppet-Version': puppetVersion,
      ...(body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
    }
    const late = setTimeout(() => sent.destroy(new Error(`no answer in ${patienceMs / 1000} s`)), patienceMs)
    const failed = (error) => {
      clearTimeout(late)
      fail(error)
    }
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.once('error', failed)
      answer.once('end', () => {
        clearTimeout(late)
        const raw = Buffer.concat(parts)
        const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
        done({ status: answer.statusCode, headers: answer.headers, body, transferred: raw.length })
      })
    })
    sent.once('error', failed)
    sent.end(body)
  })
}
