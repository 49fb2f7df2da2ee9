/** Values that an attribute of a resource type in Ruby accepts, from its `newvalues`; none if they are not literal. */
export function listRubyTypeValues(text: string, attribute: string): readonly string[] {
  const starts = [...text.matchAll(/\bnew(?:param|property)[ \t(]+:["']?(\w+)|^[ \t]*(ensurable)\b/gm)]
  const at = starts.findIndex(([, name, ensurable]) => (ensurable ? 'ensure' : name) === attribute)
  if (at === -1) return []
  const [declaration, , ensurable] = starts[at]!
  const body = text.slice(starts[at]!.index + declaration.length, starts[at + 1]?.index)
  const values = new Set<string>()
  // Without a block, the values are those of every ensurable type.
  const hasBlock = /^(?:do\b|\{)/.test(body.trimStart())
  if (ensurable && (!hasBlock || body.includes('defaultvalues')))
    for (const each of ['present', 'absent']) values.add(each)
  if (/\bboolean(?:: ?| ?=> ?)true\b|Puppet::(?:Parameter|Property)::Boolean\b/.test(body))
    for (const each of ['true', 'false']) values.add(each)
  for (const { 0: call, index } of [...body.matchAll(/\bnewvalues?\b/g)].slice(0, readCalls)) {
    const list = readArguments(body.slice(index + call.length, index + call.length + callCharacters))
    for (const [, symbol, quoted] of list.matchAll(/:(\w+)|["']([\w.-]+)["']/g)) values.add(symbol ?? quoted!)
  }
  return [...values]
}

/** Largest number of calls of `newvalues` for an attribute that are read. */
const readCalls = 100
/** Largest number of characters of a call of `newvalues` that are read. */
const callCharacters = 2000

/** The arguments of a call: up to a parenthesis, a block, a pattern, a comment, or a line that ends without a comma. */
function readArguments(text: string): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const end = line.search(/[){#/]|[ \t]do\b/)
    lines.push(end === -1 ? line : line.slice(0, end))
    if (end !== -1 || !line.trimEnd().endsWith(',')) break
  }
  return lines.join('\n')
}
