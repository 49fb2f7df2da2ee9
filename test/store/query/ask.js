// One question asked of a server, and its answer in a form that two servers can share.
import { parseJson } from '#built/base/json/json-text.js'
import { canonicalText } from './canonical.js'
import { root } from './corpus/request.js'

/** Times after this one are no data of the dataset's: they say when the server was told. */
const told = Date.UTC(2026, 10, 22)

/**
 * Reads all that the server says of what has a hash; `{ parseTokenRecord, hashOf }`, from hashes to tokens and back.
 * @param {string} url
 * @param {typeof fetch} send
 */
export async function namesOfHashes(url, send = fetch) {
  const rows = async (path, query) =>
    (await send(`${url}${root}${path}?query=${encodeURIComponent(JSON.stringify(query))}`)).json()
  const any = ['=', 'node_state', 'any']
  const tokenOf = new Map()
  const add = (hash, token) => hash && !tokenOf.has(hash) && tokenOf.set(hash, `<${token.replace(/[^\w .:/-]/g, '_')}>`)
  for (const { hash, certname, start_time } of await rows('/reports', any))
    add(hash, `report ${certname} ${start_time}`)
  for (const { hash, certname } of await rows('/catalogs', any)) add(hash, `catalog ${certname}`)
  for (const { hash, certname } of await rows('/factsets', any)) add(hash, `factset ${certname}`)
  const resources = await rows('/resources', any)
  resources.sort((a, b) => (a.certname < b.certname ? -1 : 1))
  for (const { resource, certname, type, title } of resources) add(resource, `resource ${certname} ${type} ${title}`)
  return { tokenOf, hashOf: new Map(Array.from(tokenOf, ([hash, token]) => [token, hash])) }
}

/**
 * The answer to a question: `{ status, type, records }` and its body. Rows without an order are sorted by their text; the
 * text of a failure of the server itself is left out.
 * @param {string} url
 * @param {import('./corpus/request.js').Question} question
 * @param {{ tokenOf: Map<string, string>, hashOf: Map<string, string> }} names of `namesOfHashes`
 * @param {typeof fetch} send
 */
export async function answerTo(url, { method, path, body, order }, { tokenOf, hashOf }, send = fetch) {
  const sent = (text, write) =>
    text.replace(/<(?:report|catalog|factset|resource) [^>]+>/g, (token) => write(hashOf.get(token) ?? token))
  const headers = { accept: 'application/json', ...(method === 'POST' && { 'content-type': 'application/json' }) }
  const target = url + sent(decodeTokens(path), encodeURIComponent)
  const answer = await send(target, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: sent(body, String) }),
  })
  const text = named(await answer.text(), tokenOf)
  const type = answer.headers.get('content-type')
  if (answer.status === 500) return { status: 500, type }
  const records = answer.headers.get('x-records')
  return {
    status: answer.status,
    type,
    ...(records !== null && { records: Number(records) }),
    ...bodyOf(text, type, order),
  }
}

/** Tokens are written plainly in a path, that they may be found; here those that were encoded come back. */
const decodeTokens = (path) => path.replace(/%3C(report|catalog|factset|resource)%20.*?%3E/g, decodeURIComponent)

/** A text in which tokens stand for hashes, and `<received>` for the times at which the server was told. */
export function named(text, tokenOf) {
  return text
    .replace(/\b[0-9a-f]{40}\b/g, (hash) => tokenOf.get(hash) ?? hash)
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, (time) => (Date.parse(JSON.parse(time)) > told ? '"<received>"' : time))
}

/** JSON becomes canonical: `rows` of a list, else a `value`; anything else stays a `text`. */
function bodyOf(text, type, order) {
  if (!type?.startsWith('application/json')) return { text }
  const value = parseJson(text)
  if (!Array.isArray(value)) return { value: canonicalText(value) }
  if (order === 'count') return { count: value.length }
  const rows = value.map(canonicalText)
  return { rows: order === 'rows' ? rows : rows.sort() }
}
