import { PuppetError } from '../../../dist/base/issue.js'
import { parsePushRecords } from '../../../dist/deploy/control/push-record.js'
import { verifyCatalog } from '../../../dist/model/catalog-signature.js'
import { parseOrder } from '../../../dist/model/orders/order.js'
import { parseNodeMessage, parseServerMessage } from '../../../dist/model/orders/order-messages.js'
import { parseChainLine } from '../../../dist/store/audit/chain.js'
import { allowing, must, textOf } from '../target.js'

const trust = /** @type {const} */ ({ authorities: [], lists: [], revocation: 'chain' })
const encoded = (/** @type {string} */ text) => Buffer.from(text).toString('base64url')
const payload =
  '{"digest":"{sha256}00","node":"a.test","environment":"production","code_id":null,"time":"2026-11-23T10:00:00.000Z"}'
const header = '{"alg":"ES256","typ":"plumb-catalog+jws","x5c":["MAA="]}'

/**
 * Signatures of catalogs, lines of the audit log, pushes as the hooks tell of them, messages about orders. Nothing is proven where nobody is
 * trusted. @type {import('../target.js').Target}
 */
export default {
  name: 'signatures',
  seeds: [
    `${encoded(header)}.${encoded(payload)}.${encoded('x'.repeat(64))}`,
    header,
    `${'0'.repeat(64)} {"seq":1,"time":"2026-11-23T10:00:00.000Z","kind":"segment","server":"a.test","previous":"00"}`,
    `[{"ref":"refs/heads/a","old":"${'0'.repeat(40)}","new":"${'1'.repeat(40)}","pusher":"anna","result":"accepted"}]`,
    '{"type":"finished","id":"0d8bb245-f4a9-494c-b8fa-ce67cb909245","status":2,"code_id":"c1"}',
    '{"type":"order","signed":"a.b.c"}',
    '{"id":"0d8bb245-f4a9-494c-b8fa-ce67cb909245","kind":"run","node":"a","person":"b","issued":1,"expires":2,"tags":["c"]}',
  ],
  dictionary: [
    '.',
    '=',
    '"alg":"none"',
    '"x5c":[',
    '"seq":',
    '"kind":"catalog"',
    '"result":"refused"',
    'null',
    '[',
    ']',
    '{',
    '}',
  ],
  // A certificate may be read, and a signature verified.
  nsPerByte: 3000,
  run(bytes) {
    const text = textOf(bytes)
    for (const signature of [text, `${encoded(text)}.${encoded(payload)}.${encoded('x'.repeat(64))}`]) {
      const catalog = { wire: { name: 'a.test' }, text: '{}', signature }
      const proven = allowing([PuppetError], () => verifyCatalog(catalog, { trust, now: new Date() }))
      must(proven === undefined, 'proven by nobody')
    }
    const line = parseChainLine(text)
    must(line === undefined || text === `${line.hash} ${line.json}`, 'a line that is not what was read')
    const json = allowing([SyntaxError], () => JSON.parse(text))
    if (json !== undefined) allowing([PuppetError], () => parsePushRecords(json))
    if (json !== undefined) allowing([PuppetError], () => parseOrder(json))
    for (const parse of [parseNodeMessage, parseServerMessage]) allowing([PuppetError, SyntaxError], () => parse(text))
  },
}
