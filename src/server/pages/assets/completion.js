// Completion of names in PQL queries. This module does not use the page, so that it can be tested without a browser.

/**
 * @typedef {object} Words
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} entities
 * @property {readonly string[]} functions
 * @property {readonly string[]} keywords
 *
 * @typedef {{ readonly text: string, readonly kind: string }} Suggestion
 */

/** The name, or path of names, that ends at the caret. @param {string} before */
export function wordBefore(before) {
  return /[\w.-]*$/.exec(before)?.[0] ?? ''
}

/** The innermost entity whose brackets are open at the end of a text. @param {string} before @param {Words} words */
export function entityAt(before, words) {
  /** @type {(string | undefined)[]} */
  const open = []
  const code = before.replace(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/g, (text) => ' '.repeat(text.length))
  /** @type {string | undefined} */
  let last
  for (const [token] of code.matchAll(/[A-Za-z_][\w-]*|[[\](){}]/g)) {
    if (Object.hasOwn(words.entities, token)) last = token
    else if (/[[{(]/.test(token)) open.push(last ?? open.at(-1))
    else if (/[\]})]/.test(token)) last = open.pop()
  }
  return open.at(-1)
}

/** True if the text ends within a quoted string, which contains no names. @param {string} before */
function isQuoted(before) {
  const quote = /^(?:[^"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*/.exec(before)?.[0].length ?? 0
  return quote < before.length
}

/**
 * Names that can complete the last word of a text. Names that begin with the word precede names that contain it.
 * @param {string} before
 * @param {Words} words
 * @returns {readonly Suggestion[]}
 */
export function suggestionsFor(before, words) {
  if (isQuoted(before)) return []
  const word = wordBefore(before).toLowerCase()
  const entity = entityAt(before, words)
  const entities = Object.keys(words.entities).map((text) => ({ text, kind: 'entity' }))
  const fields = Object.entries(words.entities[entity ?? ''] ?? {}).map(([text, kind]) => ({ text, kind }))
  const functions = words.functions.map((text) => ({ text: `${text}(`, kind: 'function' }))
  const keywords = words.keywords.map((text) => ({ text, kind: 'keyword' }))
  const all = entity === undefined ? entities : [...fields, ...functions, ...keywords, ...entities]
  const begins = all.filter(({ text }) => text.startsWith(word))
  // The shortest name is the most likely: `nodes` precedes `node_history`.
  if (word !== '') begins.sort((a, b) => a.text.length - b.text.length)
  const contains = word === '' ? [] : all.filter(({ text }) => !text.startsWith(word) && text.includes(word))
  return [...begins, ...contains].filter(({ text }) => text !== word).slice(0, 12)
}
