import { PuppetError } from '../../../dist/base/issue.js'
import {
  decodeInteger,
  decodeOid,
  decodeText,
  decodeTime,
  encodeOid,
  getDerChildren,
  getDerContent,
  parseDer,
  splitDer,
  toDerBytes,
} from '../../../dist/ca/x509/der.js'
import { allowing, must } from '../target.js'

/** DER: what is read is written as the same bytes; all else is refused. @type {import('../target.js').Target} */
export default {
  name: 'der',
  seeds: [
    Buffer.from('3003020101', 'hex'),
    Buffer.from('300e06035504030c07ffc3a9e282ac21', 'hex'),
    Buffer.from('a0133011170d3235303130313030303030305a0500', 'hex'),
    Buffer.from(`30818004817d${'00'.repeat(125)}`, 'hex'),
    Buffer.from('1e0400410042', 'hex'),
    Buffer.from('180f32303530303130313030303030305a', 'hex'),
  ],
  dictionary: [
    '\x30\x03',
    '\x30\x80',
    '\x02\x01\x00',
    '\x06\x03\x55\x04\x03',
    '\x06\x00',
    '\x1f\x81\x01',
    '\x82\x01\x00',
    '\x84\x7f\xff\xff\xff',
    '\x81\x80',
    '\x00\x00',
    '\x03\x02\x00',
    '\x24\x80',
    '\x1e\x01\x00',
    '\x17\x0d250101000000Z',
    '\xa0\x80',
    '\x05\x00',
  ],
  run(bytes) {
    const der = allowing([PuppetError], () => parseDer(bytes))
    allowing([PuppetError], () => splitDer(Buffer.from(bytes)))
    allowing([PuppetError], () => getDerContent(Buffer.from(bytes)))
    if (!der) return
    must(toDerBytes(der).equals(Buffer.from(bytes)), 'written, it is other bytes')
    visit(der)
  },
}

/** Asks of each element all that may be asked. @param {import('../../../dist/ca/x509/der.js').Der} der */
function visit(der) {
  allowing([PuppetError], () => decodeInteger(der))
  allowing([PuppetError], () => decodeTime(der))
  allowing([PuppetError], () => decodeText(der))
  const dotted = allowing([PuppetError], () => decodeOid(der))
  if (dotted !== undefined) {
    const again = allowing([PuppetError], () => decodeOid(parseDer(encodeOid(dotted))))
    must(again === undefined || again === dotted, `'${dotted}', written, reads as '${again}'`)
  }
  for (const child of allowing([PuppetError], () => getDerChildren(der)) ?? []) visit(child)
}
