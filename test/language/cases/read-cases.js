import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One expression and what it is worth.
 * @typedef {object} Case
 * @property {string} file its path
 * @property {number} line from 1
 * @property {string} group what the last comment line before it says
 * @property {string} code
 * @property {string} expected as it stands in the file: a value, or `! ` and an error
 * @property {'off' | 'warning' | 'error'} strict
 * @property {boolean} strictVariables
 * @property {boolean} only8 whether only Puppet 8 gives this answer
 * @property {boolean} isWhole whether the code is a manifest, and all that it says is expected
 */

/**
 * Every case of every file of a folder, in order.
 * @returns {Case[]}
 */
export function readCases(folder = import.meta.dirname) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cases'))
    .sort()
    .flatMap((name) => casesOf(join(folder, name)))
}

/** The modules that manifests of `.manifests` files see. */
export const modules = join(import.meta.dirname, 'modules')

/**
 * Every manifest of every `.manifests` file of a folder, in order.
 * @returns {Case[]}
 */
export function readManifests(folder = import.meta.dirname) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.manifests'))
    .sort()
    .flatMap((name) => manifestsOf(join(folder, name)))
}

/**
 * The manifest that says in its last notice what the expression is worth.
 * @param {Pick<Case, 'code' | 'isWhole'>} one
 */
export function manifestOf({ code, isWhole }) {
  if (isWhole) return code
  return `$value__ = with() || {\n${code}\n}\nnotice(String($value__, '%p'))`
}

/** @param {string} file @returns {Case[]} */
function casesOf(file) {
  const cases = []
  /** @type {Record<string, string>} */
  let settings = {}
  let group = ''
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text.startsWith('#!'))
      settings = Object.fromEntries(Array.from(text.matchAll(/(\w+)=(\w+)/g), (m) => [m[1], m[2]]))
    else if (text.startsWith('# ')) group = text.slice(2)
    const at = text.indexOf(' ==> ')
    if (text.startsWith('#') || at === -1) continue
    cases.push({
      file,
      line: index + 1,
      group,
      code: text.slice(0, at).replace(/^8\| /, '').replaceAll('⏎', '\n'),
      expected: text.slice(at + 5),
      strict: /** @type {Case['strict']} */ (settings.strict ?? 'error'),
      strictVariables: settings.strict_variables !== 'false',
      only8: text.startsWith('8| '),
      isWhole: false,
    })
  }
  return cases
}

/** @param {string} file @returns {Case[]} */
function manifestsOf(file) {
  const cases = []
  /** @type {string[]} */
  let lines = []
  let group = ''
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text.startsWith('# ')) group = text.slice(2)
    else if (/^8?==> /.test(text)) {
      const code = lines.join('\n').trim()
      const expected = text.slice(text.indexOf(' ') + 1)
      const only8 = text.startsWith('8')
      const more = { strict: /** @type {const} */ ('error'), strictVariables: true, only8, isWhole: true }
      cases.push({ file, line: index + 1, group, code, expected, ...more })
      lines = []
    } else lines.push(text)
  }
  return cases
}
