// Which names may follow in a query in PQL: no page is needed for it.

/**
 * @typedef {object} Words
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} entities
 * @property {readonly string[]} functions
 * @property {readonly string[]} keywords
 *
 * @typedef {{ readonly text: string, readonly kind: string }} Suggestion
 */

/** The word that ends at the caret: names, and paths of names. @param {string} before */
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

/** True inside of a text in quotes, where no name is meant. @param {string} before */
function isQuoted(before) {
  const quote = /^(?:[^"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*/.exec(before)?.[0].length ?? 0
  return quote < before.length
}

/**
 * Names that may stand at the end of a text, those first that begin with what is there of the word.
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
  // The shortest is the least surprise: `nodes` before `node_history`.
  if (word !== '') begins.sort((a, b) => a.text.length - b.text.length)
  const contains = word === '' ? [] : all.filter(({ text }) => !text.startsWith(word) && text.includes(word))
  return [...begins, ...contains].filter(({ text }) => text !== word).slice(0, 12)
}
