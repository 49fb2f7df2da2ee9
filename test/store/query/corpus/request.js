// Questions to PuppetDB, as data.

/**
 * A question. A token such as `<report web01.example.com 2026-11-20T06:03:00.000Z>` stands for the hash of what it names.
 * @typedef {object} Question
 * @property {'GET' | 'POST'} method
 * @property {string} path with its parameters
 * @property {string} [body]
 * @property {'rows' | 'count'} [order] `rows` where the query orders them all; `count` where only their number is defined
 */

/** The root of the queries' paths. */
export const root = '/pdb/query/v4'

const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/** @returns {Question} A question by GET: `query` and `order_by` may be data. */
export function get(path, parameters = {}, order) {
  const words = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(text(value))}`)
  return { method: 'GET', path: `${root}${path}${words.length ? '?' : ''}${words.join('&')}`, ...(order && { order }) }
}

/** @returns {Question} A question by POST: its body is data, or a text. */
export function post(path, body, order) {
  return { method: 'POST', path: `${root}${path}`, body: text(body), ...(order && { order }) }
}

/** @returns {Question} A question of an entity, in AST. */
export const ask = (entity, query, parameters = {}, order) => get(`/${entity}`, { query, ...parameters }, order)

/** @returns {Question} A question of the root, in PQL or AST. */
export const pql = (query, parameters = {}, order) => get('', { query, ...parameters }, order)
