import { describe, expect, it } from 'vitest'
import { parseOrder } from '../../../src/model/orders/order.ts'
import {
  formatReconnectDelay,
  parseNodeMessage,
  parseReconnectDelay,
  parseServerMessage,
} from '../../../src/model/orders/order-messages.ts'

const id = '0d8bb245-f4a9-494c-b8fa-ce67cb909245'

describe('messages of a node', () => {
  it.each([
    { type: 'started', id },
    { type: 'finished', id, status: 0 },
    { type: 'finished', id, status: 6, report: id, code_id: 'a'.repeat(40) },
    { type: 'refused', id, reason: 'disabled', message: 'maintenance' },
  ])('are read: %j', (message) => {
    expect(parseNodeMessage(JSON.stringify(message))).toEqual(message)
  })

  it('are cut where a text is long', () => {
    const message = { type: 'refused', id, reason: 'failed', message: 'x'.repeat(2000) }
    expect(parseNodeMessage(JSON.stringify(message))).toMatchObject({ message: 'x'.repeat(500) })
  })

  it.each([
    ['', 'JSON'],
    ['[]', 'message must be an object'],
    ['{"type":"started"}', 'id must be a string'],
    ['{"type":"started","id":"../../etc"}', 'it is not a UUID'],
    [`{"type":"ended","id":"${id}"}`, 'type must be started, finished or refused'],
    [`{"type":"finished","id":"${id}"}`, 'status must be an exit status'],
    [`{"type":"finished","id":"${id}","status":256}`, 'status must be an exit status'],
    [`{"type":"finished","id":"${id}","status":0.5}`, 'status must be an exit status'],
    [`{"type":"finished","id":"${id}","status":0,"report":"x"}`, 'report must be a UUID'],
    [`{"type":"refused","id":"${id}","reason":"tired","message":""}`, 'reason must be a known reason'],
    [`{"type":"started","id":"${id}","a":[[[[[1]]]]]}`, 'nesting'],
    [`{"type":"started","id":"${id}","a":"${'x'.repeat(20_000)}"}`, 'exceeds 16384 characters'],
    [`{"type":"started","id":"${id}","a":[${'1,'.repeat(300)}1]}`, 'exceeds 200 values'],
  ])('are rejected: %.60s', (text, why) => {
    expect(() => parseNodeMessage(text)).toThrow(why)
  })
})

describe('messages of a server', () => {
  it.each([
    { type: 'ack', id },
    { type: 'order', order: '{}' },
    { type: 'order', signed: 'a.b.c' },
  ])('are read: %j', (message) => {
    expect(parseServerMessage(JSON.stringify(message))).toEqual(message)
  })

  it('are ignored if a newer server sends a type that this version does not know', () => {
    expect(parseServerMessage('{"type":"task","id":"x"}')).toBeUndefined()
  })

  it.each(['{"type":"ack"}', '{"type":"order"}', '{"type":"order","signed":1}', 'null'])('are rejected: %s', (text) => {
    expect(() => parseServerMessage(text)).toThrow()
  })
})

describe('the delay in the close message of a server', () => {
  it.each([
    [formatReconnectDelay(7), 7],
    ['Reconnect in 9999 seconds', 600],
    ['Reconnect in 99999 seconds', undefined],
    ['Reconnect in -1 seconds', undefined],
    ['', undefined],
  ])('is read: %s', (reason, seconds) => {
    expect(parseReconnectDelay(reason)).toBe(seconds)
  })
})

describe('an order', () => {
  const order = { id, kind: 'run', node: 'web1', person: 'ann', issued: 1, expires: 2, noop: false, tags: ['ntp'] }

  it('is read', () => {
    expect(parseOrder({ ...order, environment: 'production', commit: 'abc' })).toEqual({
      ...order,
      ...{ environment: 'production', commit: 'abc' },
    })
  })

  it.each([
    [{ kind: 'task' }, 'it is not run'],
    [{ node: '../web1' }, 'is not a certname'],
    [{ node: 'Web1' }, 'is not a certname'],
    [{ id: 'x' }, 'it is not a UUID'],
    [{ person: 'x'.repeat(501) }, 'longer than 500 characters'],
    [{ issued: 'now' }, 'issued must be a time in milliseconds'],
    [{ expires: -1 }, 'expires must be a time in milliseconds'],
    [{ environment: '--trace' }, 'is not an environment'],
    [{ noop: 'yes' }, 'noop must be a boolean'],
    [{ tags: ['--exec'] }, 'is not a tag'],
    [{ tags: Array(51).fill('a') }, 'more than 50'],
    [{ commit: 'a\nb' }, 'control characters'],
  ])('is rejected with %j', (change, why) => {
    expect(() => parseOrder({ ...order, ...change })).toThrow(why)
  })
})
