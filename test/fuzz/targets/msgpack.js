import { decode, encode } from '@msgpack/msgpack'
import { PuppetError } from '../../../dist/base/issue.js'
import { formatExactJson } from '../../../dist/base/json/json-text.js'
import { decodeMsgpack, encodeMsgpack } from '../../../dist/base/json/msgpack.js'
import { allowing, must } from '../target.js'

const hex = (/** @type {string} */ text) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** MessagePack from outside: refused in words, or read as the library reads it, and written and read again. @type {import('../target.js').Target} */
export default {
  name: 'msgpack',
  seeds: [
    Buffer.from(encode({ name: 'web1', values: { os: { family: 'Debian' }, n: [1, -1, 300, 70_000, 2 ** 40, 1.5] } })),
    hex('82 a1 61 cb 3ff0000000000000 a1 31 c3'),
    hex('dd ffffffff'),
    hex('df ffffffff a1 61'),
    hex('92 cf ffffffffffffffff d3 8000000000000000'),
    hex('81 a9 5f5f70726f746f5f5f 01'),
    hex('d6 ff 00000000'),
    hex('c4 01 61'),
  ],
  dictionary: [
    '\x81',
    '\x91',
    '\xa1',
    '\xc0',
    '\xc4\x01',
    '\xca',
    '\xcb',
    '\xcf',
    '\xd3',
    '\xd9\x01',
    '\xdc\x00\x01',
    '\xde',
  ],
  run(bytes) {
    const data = allowing([PuppetError], () => decodeMsgpack(bytes, { items: 10_000 }))
    if (data === undefined) return
    const text = formatExactJson(data)
    const again = decodeMsgpack(encodeMsgpack(data), { items: 10_000 })
    must(formatExactJson(again) === text, `written and read: ${text}`)
    // It does not take __proto__, and no integers as keys that are large; bytes are no text to it.
    const theirs = allowing([Error], () => JSON.stringify(decode(bytes, { useBigInt64: true }), plain))
    if (theirs === undefined || /"type":"Buffer"|"0":/.test(theirs)) return
    must(theirs === JSON.stringify(data, plain), `${theirs} read as ${text}`)
  },
}

/** Numbers of one type, and keys in an order that both have. @param {string} _key @param {any} value */
function plain(_key, value) {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Number) return value.valueOf()
  if (value instanceof Map) return plain('', Object.fromEntries(value))
  return value
}
