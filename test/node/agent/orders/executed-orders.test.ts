import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { localFiles } from '../../../../src/machine/system/files.ts'
import type { Order } from '../../../../src/model/orders/order.ts'
import { ExecutedOrders } from '../../../../src/node/agent/orders/executed-orders.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const minute = 60_000
let now: number
let path: string
let warnings: string[]
beforeEach(() => {
  now = 1_000_000_000
  path = join(scratchFolder('orders'), 'state/orders.json')
  warnings = []
})

const open = () =>
  ExecutedOrders.open({ files: localFiles, path, now: () => now, warn: (message) => void warnings.push(message) })
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const orderOf = (number: number): Order => ({
  ...{ id: idOf(number), kind: 'run', node: 'a', person: 'ann', issued: now, expires: now + 5 * minute },
  ...{ noop: false, tags: [] },
})

describe('executed orders', () => {
  it('are known as soon as they begin, also to the next agent', async () => {
    const first = await open()
    expect(first.findMessage(idOf(1))).toBe('unknown')
    expect(await first.begin(orderOf(1))).toBe(true)
    expect(first.findMessage(idOf(1))).toBeUndefined()
    const second = await open()
    expect(second.findMessage(idOf(1))).toEqual({ type: 'finished', id: idOf(1), status: 1 })
  })

  it('keep their result until a server has stored it, and then until they expire', async () => {
    const first = await open()
    await first.begin(orderOf(1))
    await first.record({ type: 'started', id: idOf(1) })
    first.acknowledge(idOf(1))
    await first.record({ type: 'finished', id: idOf(1), status: 2, report: idOf(9), code_id: 'c1' })
    now += 60 * minute
    await first.begin(orderOf(2))
    const second = await open()
    expect(second.findMessage(idOf(1))).toEqual({
      ...{ type: 'finished', id: idOf(1), status: 2, report: idOf(9), code_id: 'c1' },
    })
    second.acknowledge(idOf(1))
    await second.begin(orderOf(3))
    expect(second.findMessage(idOf(1))).toBe('unknown')
  })

  it('are limited: no new order is executed while a thousand may be repeated', async () => {
    mkdirSync(dirname(path))
    const message = (id: string) => ({ type: 'finished', id, status: 0 })
    const known = Array.from({ length: 1000 }, (_, each) => ({ ...orderOf(each), message: message(idOf(each)) }))
    writeFileSync(path, JSON.stringify({ orders: known }))
    const orders = await open()
    for (const { id } of known) orders.acknowledge(id)
    expect(await orders.begin(orderOf(1001))).toBe(false)
    expect(orders.findMessage(idOf(1001))).toBe('unknown')
  })

  it.each(['', '{"orders":[{}]}', '{"orders":', `{"orders":[{"id":"${idOf(1)}","expires":1,"message":{}}]}`])(
    'refuse earlier orders if the file is damaged: %s',
    async (text) => {
      const first = await open()
      expect(first.notBefore).toBe(0)
      await first.begin(orderOf(1))
      expect(readFileSync(path, 'utf8')).toContain(idOf(1))
      writeFileSync(path, text)
      const second = await open()
      expect(second.notBefore).toBe(now)
      expect(warnings).toEqual([expect.stringContaining('is damaged')])
    },
  )
})
