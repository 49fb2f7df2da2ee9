import { beforeAll, describe, expect, it } from 'vitest'
import { parseCertificates } from '../../../src/ca/x509/certificate.ts'
import type { ChainTrust } from '../../../src/ca/x509/chain.ts'
import { createStatementWriter, type StatementSigner } from '../../../src/ca/x509/json-web-signature.ts'
import { parseRevocationLists } from '../../../src/ca/x509/revocation-list.ts'
import type { Order } from '../../../src/model/orders/order.ts'
import { checkOrder, createOrderWriter, readOrder } from '../../../src/model/orders/order-signature.ts'
import { ec, type Fixture, newAuthority } from '../../ca/fixture.ts'

const now = Date.now()
const minute = 60_000
const order: Order = {
  ...{ id: '0d8bb245-f4a9-494c-b8fa-ce67cb909245', kind: 'run', node: 'a.test', person: 'ann' },
  ...{ issued: now - 1000, expires: now + 4 * minute, noop: true, tags: ['ntp'], commit: 'c1' },
}

let signer: StatementSigner
let node: StatementSigner
let stranger: StatementSigner
let trust: ChainTrust
beforeAll(async () => {
  const authority: Fixture = await newAuthority()
  const { ca } = authority
  signer = await ca.generateSigner('server.test')
  node = await ca.generate('a.test', { key: ec })
  stranger = await (await newAuthority()).ca.generateSigner('server.test')
  trust = {
    authorities: parseCertificates((await ca.certificates()).pem),
    lists: parseRevocationLists((await ca.revocationLists()).pem),
    revocation: 'chain',
  }
})

const rules = (wanted: 'check' | 'require' | 'off' = 'check') => ({
  ...{ now: new Date(now), wanted },
  trust: async () => trust,
})
type OrderMessage = Parameters<typeof readOrder>[0]
const write = (by: StatementSigner | undefined, value: Order = order) => createOrderWriter(by)(value) as OrderMessage
const signed = (by: StatementSigner, value?: Order) => write(by, value) as { type: 'order'; signed: string }

describe('a signed order', () => {
  it.each(['check', 'require', 'off'] as const)('is read with catalog_signature = %s', async (wanted) => {
    expect(await readOrder(write(signer), rules(wanted))).toEqual(order)
  })

  it('is rejected if one character of it was changed', async () => {
    const [header = '', content = '', signature = ''] = signed(signer).signed.split('.')
    const edited = Buffer.from(JSON.stringify({ ...order, noop: false })).toString('base64url')
    const flipped = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    for (const text of [`${header}.${edited}.${signature}`, `${header}.${content}.${flipped}`])
      await expect(readOrder({ type: 'order', signed: text }, rules())).rejects.toThrow(
        'The signature was not made with the key of the certificate',
      )
  })

  it('is rejected if a node or a signer of another authority has signed it', async () => {
    await expect(readOrder(write(node), rules())).rejects.toThrow("signed by 'a.test', which is not trusted")
    await expect(readOrder(write(stranger), rules())).rejects.toThrow(
      "signed by '_catalogs.server.test', which is not trusted",
    )
  })

  it('is rejected if it is the signature of a catalog', async () => {
    const text = createStatementWriter('plumb-catalog+jws', signer)(JSON.stringify(order))
    await expect(readOrder({ type: 'order', signed: text }, rules())).rejects.toThrow('its type is not plumb-order')
  })
})

describe('an unsigned order', () => {
  it('is read, except with catalog_signature = require', async () => {
    expect(await readOrder(write(undefined), rules())).toEqual(order)
    await expect(readOrder(write(undefined), rules('require'))).rejects.toThrow('The order is not signed')
  })
})

describe('the conditions of an order', () => {
  const conditions = { node: 'a.test', now, notBefore: 0 }

  it('allow an order for this node within its lifetime', () => {
    expect(() => checkOrder(order, conditions)).not.toThrow()
  })

  it.each([
    ['for another node', { node: 'b.test' }, {}, "The order is for another node, 'b.test'"],
    ['that has expired', {}, { now: order.expires }, 'The order expired at'],
    ['before the record of executed orders', {}, { notBefore: now }, 'The order expired at'],
    ['of the future', { issued: now + 6 * minute, expires: now + 7 * minute }, {}, 'issued in the future'],
    ['that is valid for a day', { expires: now + 1440 * minute }, {}, 'valid for too long'],
  ])('reject an order %s', (_, change, other, why) => {
    expect(() => checkOrder({ ...order, ...change }, { ...conditions, ...other })).toThrow(why)
  })
})
