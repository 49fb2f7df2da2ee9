import fc from 'fast-check'
import { PuppetError } from '../../../dist/base/issue.js'
import { formatExactJson, parseJson } from '../../../dist/base/json/json-text.js'
import { factsFromWire, factsToWire } from '../../../dist/model/facts.js'
import { nodeFromWire, nodeToWire } from '../../../dist/model/node.js'
import { allowing, must, textOf } from '../target.js'

/** Facts, and a node, as JSON from outside: refused in words, or kept and read again as they are. @type {import('../target.js').Target} */
export default {
  name: 'facts',
  seeds: [
    '{"name":"web1","values":{"os":{"family":"Debian","release":{"major":"12"}},"uptime":1.0,"n":12345678901234567890,"l":[1,null,true]},"timestamp":"2026-11-20T10:00:00.000000000Z","expiration":"2026-11-20T10:30:00Z"}',
    '{"name":"web1","environment":"production","parameters":{"a":1},"classes":{"ntp":{"servers":["a"]},"x":null}}',
    '{"name":"web1","classes":["ntp","ssh"]}',
  ],
  dictionary: [
    '"name":',
    '"values":',
    '"timestamp":',
    '"expiration":',
    '"classes":',
    '"parameters":',
    '"environment":',
    '{',
    '}',
    '[',
    ']',
    '"__proto__":',
    '"10":',
    'null',
    '1.0',
    '1e400',
    ',',
    ':',
    '"',
  ],
  grammar: fc
    .json({ maxDepth: 4 })
    .map((values) => `{"name":"web1","values":${values},"classes":${values},"parameters":${values}}`),
  run(bytes) {
    const json = allowing([SyntaxError, PuppetError], () => parseJson(textOf(bytes)))
    if (json === undefined) return
    const facts = allowing([PuppetError], () => factsFromWire(json))
    if (facts) again(factsToWire(facts), (each) => factsToWire(factsFromWire(each)))
    const node = allowing([PuppetError], () => nodeFromWire(json))
    if (node) again(nodeToWire(node), (each) => nodeToWire(nodeFromWire(each)))
  },
}

/** What is written reads as the same. @param {any} wire @param {(wire: any) => any} read */
function again(wire, read) {
  const text = allowing([PuppetError], () => formatExactJson(wire))
  if (text !== undefined) must(formatExactJson(read(parseJson(text))) === text, `written and read: ${text}`)
}
