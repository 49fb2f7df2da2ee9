import { chosen } from '../support/chance.js'

/**
 * Ways in which people change the text of a file, by the kind of the file. Most leave the site in order.
 *
 * @type {Readonly<Record<string, readonly ((text: string, chance: import('../support/chance.js').Chance) => string)[]>>}
 */
export const textEdits = {
  manifest: [remarkBelow, remarkAmong, number, number, word, resource, spaces],
  data: [remarkBelow, number, number, word, dataKey, remarkAbove],
  template: [line, number, word, line],
  ruby: [remarkBelow, remarkAbove, number, word, method],
  file: [line, number, word],
}

function remarkBelow(text, chance) {
  return `${text}${text.endsWith('\n') ? '' : '\n'}# a word ${chance(1000)}\n`
}

function remarkAbove(text, chance) {
  const [first, rest] = text.startsWith('---\n') ? ['---\n', text.slice(4)] : ['', text]
  return `${first}# above ${chance(1000)}\n${rest}`
}

/** Above the first line of code: all that follows moves. */
function remarkAmong(text, chance) {
  return `# among ${chance(1000)}\n${text}`
}

function line(text, chance) {
  return `${text}more ${chance(1000)}\n`
}

function number(text, chance) {
  const found = [...text.matchAll(/(?<=[\s'"=:])\d{1,6}(?=[\s'",])/g)]
  if (found.length === 0) return `${text}\n`
  const { 0: old, index } = chosen(found, chance)
  return `${text.slice(0, index)}${Number(old) + 1 + chance(3)}${text.slice(index + old.length)}`
}

/** A word in quotes, or a value of data. */
function word(text, chance) {
  const found = [...text.matchAll(/(?<=(?:=>|=|:|\(|,) *['"]?)[a-z]{3,12}(?=['"\n])/g)]
  if (found.length === 0) return number(text, chance)
  const { 0: old, index } = chosen(found, chance)
  return `${text.slice(0, index)}${old}${chosen(['x', 'er', 's'], chance)}${text.slice(index + old.length)}`
}

/** One more resource before the last brace. */
function resource(text, chance) {
  const end = text.lastIndexOf('}')
  if (end < 0) return remarkBelow(text, chance)
  return `${text.slice(0, end)}  notify { "said ${chance(1000)} by \${title}": }\n${text.slice(end)}`
}

/** Other columns, the same lines. */
function spaces(text, chance) {
  const lines = text.split('\n')
  const indented = lines.flatMap((each, at) => (/^ +[a-z$]/.test(each) ? [at] : []))
  if (indented.length === 0) return remarkBelow(text, chance)
  const at = chosen(indented, chance)
  lines[at] = `  ${lines[at]}`
  return lines.join('\n')
}

function dataKey(text, chance) {
  return `${text}${text.endsWith('\n') ? '' : '\n'}new_key_${chance(5)}: ${chance(100)}\n`
}

/** One more method where a class, a module or a block ends. */
function method(text, chance) {
  const end = text.lastIndexOf('\nend')
  if (end < 0) return remarkBelow(text, chance)
  return `${text.slice(0, end)}\n  def unused_${chance(1000)}\n    ${chance(10)}\n  end${text.slice(end)}`
}
