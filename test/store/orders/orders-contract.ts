import { describe, expect, it } from 'vitest'
import type { OrderRows } from '../../../src/store/orders/order-rows.ts'

const minute = 60_000
const hour = 60 * minute

/** An ID with this number. */
const idOf = (number: number, kind = 0) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A batch for nodes n0, n1, …; the order of node N has the ID `idOf(N, batch)`. */
function batchOf(batch: number, nodes: number, more: { atOnce?: number; created?: number } = {}) {
  const orders = Array.from({ length: nodes }, (_, at) => ({ id: idOf(at, batch), node: `n${at}` }))
  return { id: idOf(batch, 9), person: 'ann', created: 1000, noop: false, tags: [], orders, ...more }
}

/** The promises of orders in a store; `open` returns an empty one. */
export function keepsOrders(name: string, open: () => Promise<OrderRows>): void {
  describe(`orders in ${name}`, () => {
    const claim = (rows: OrderRows, more: { held?: string[]; now?: number; unheldSince?: number; server?: string }) =>
      rows.claim({ server: 's1', now: 2000, held: [], unheldSince: 0, ...more })
    const stateOf = async (rows: OrderRows, batch: number, since = 0) =>
      (await rows.read(idOf(batch, 9), since))?.orders.map(({ node, state }) => `${node} ${state}`)

    it('are sent once, in their order, with the instructions of their batch', async () => {
      const rows = await open()
      await rows.add({ ...batchOf(1, 3), environment: 'dev', tags: ['a'], noop: true, commit: 'c1' })
      expect(await rows.open()).toEqual({
        unheld: [0, 1, 2].map((at) => ({ id: idOf(at, 1), node: `n${at}` })),
        ...{ waiting: 3, sent: 0 },
      })
      const due = await claim(rows, { held: [idOf(2, 1), idOf(0, 1)] })
      expect(due.map(({ node }) => node)).toEqual(['n0', 'n2'])
      expect(due[0]).toEqual({
        ...{ id: idOf(0, 1), node: 'n0', batch: idOf(1, 9), issued: 2000, person: 'ann' },
        ...{ environment: 'dev', tags: ['a'], noop: true, commit: 'c1' },
      })
      expect(await claim(rows, { held: [idOf(0, 1)] })).toEqual([])
      expect(await stateOf(rows, 1)).toEqual(['n0 sent', 'n1 waiting', 'n2 sent'])
    })

    it('are sent at most so many at once, over all servers', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 4, { atOnce: 2 }))
      const first = await claim(rows, { held: [idOf(0, 1), idOf(2, 1)], server: 's1' })
      const second = await claim(rows, { held: [idOf(1, 1), idOf(3, 1)], server: 's2' })
      expect([first, second].map((due) => due.map(({ node }) => node))).toEqual([['n0', 'n2'], []])
      await rows.record([{ id: idOf(0, 1), state: 'finished', status: 0 }], 3000)
      expect((await claim(rows, { server: 's2' })).map(({ node }) => node)).toEqual(['n1'])
    })

    it('end as unconnected if no server holds their node', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 2))
      await claim(rows, { held: [idOf(0, 1)], unheldSince: 999 })
      expect(await stateOf(rows, 1)).toEqual(['n0 sent', 'n1 waiting'])
      await claim(rows, { unheldSince: 1000 })
      expect(await stateOf(rows, 1)).toEqual(['n0 sent', 'n1 unconnected'])
      expect(await rows.open()).toMatchObject({ unheld: [], waiting: 0, sent: 1 })
    })

    it('return to their place if they could not be sent', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 1))
      await claim(rows, { held: [idOf(0, 1)] })
      await rows.release([idOf(0, 1)], 2500)
      expect((await rows.open()).unheld).toHaveLength(1)
      await claim(rows, { unheldSince: 2499 })
      expect(await stateOf(rows, 1)).toEqual(['n0 waiting'])
    })

    it('move to the server to which their node has moved', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 2, { atOnce: 1 }))
      await claim(rows, { held: [idOf(0, 1), idOf(1, 1)], server: 's1' })
      // n0 was sent by s1, and n1 waits there for its turn.
      const resent = await rows.attach('s2', ['n0', 'n1'], 2100)
      expect(resent.map(({ node, issued }) => [node, issued])).toEqual([['n0', 2000]])
      await rows.record([{ id: idOf(0, 1), state: 'finished', status: 0 }], 2200)
      expect(await claim(rows, { server: 's1' })).toEqual([])
      expect((await claim(rows, { server: 's2' })).map(({ node }) => node)).toEqual(['n1'])
    })

    it('have the last result, and never go back', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 3))
      await claim(rows, { held: [0, 1, 2].map((at) => idOf(at, 1)) })
      await rows.record([{ id: idOf(0, 1), state: 'started' }], 3000)
      const result = { status: 2, report: idOf(7), code_id: 'c1' }
      await rows.record([{ id: idOf(0, 1), state: 'finished', ...result }], 4000)
      await rows.record([{ id: idOf(1, 1), state: 'refused', reason: 'disabled', message: 'why' }], 4000)
      await rows.record(
        [0, 1].map((at) => ({ id: idOf(at, 1), state: 'started' as const })),
        5000,
      )
      expect(await rows.read(idOf(1, 9), 4000)).toEqual({
        ...{ id: idOf(1, 9), person: 'ann', created: 1000, noop: false, tags: [], stopped: false },
        states: { finished: 1, refused: 1, sent: 1 },
        orders: [
          { id: idOf(0, 1), node: 'n0', state: 'finished', changed: 4000, ...result },
          { id: idOf(1, 1), node: 'n1', state: 'refused', changed: 4000, reason: 'disabled', message: 'why' },
        ],
      })
    })

    it('expire or are lost, and a late result still counts', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 2))
      await claim(rows, { held: [idOf(0, 1), idOf(1, 1)] })
      await rows.record([{ id: idOf(1, 1), state: 'started' }], 2000)
      await claim(rows, { now: 2000 + 6 * minute })
      expect(await stateOf(rows, 1)).toEqual(['n0 expired', 'n1 started'])
      await claim(rows, { now: 2000 + 5 * hour })
      expect(await stateOf(rows, 1)).toEqual(['n0 expired', 'n1 lost'])
      expect(await rows.attach('s1', ['n0', 'n1'], 2000 + 6 * hour)).toHaveLength(2)
      await rows.record([{ id: idOf(1, 1), state: 'finished', status: 0 }], 2000 + 6 * hour)
      expect(await stateOf(rows, 1)).toEqual(['n0 expired', 'n1 finished'])
      expect(await rows.attach('s1', ['n0'], 2000 + 30 * hour)).toEqual([])
    })

    it('are stopped unless they were sent', async () => {
      const rows = await open()
      await rows.add(batchOf(1, 3))
      await claim(rows, { held: [idOf(1, 1)] })
      expect(await rows.stop(idOf(1, 9), 3000)).toBe(2)
      expect(await rows.stop(idOf(2, 9), 3000)).toBeUndefined()
      expect(await stateOf(rows, 1)).toEqual(['n0 stopped', 'n1 sent', 'n2 stopped'])
      expect(await rows.read(idOf(1, 9), 0)).toMatchObject({ stopped: true })
      expect(await rows.read(idOf(2, 9), 0)).toBeUndefined()
    })

    it('are limited in number', async () => {
      const rows = await open()
      for (const batch of [1, 2]) await rows.add(batchOf(batch, 20_000))
      await expect(rows.add(batchOf(3, 20_000))).rejects.toThrow('More than 50000 orders are not finished')
      await rows.stop(idOf(1, 9), 3000)
      await rows.add(batchOf(3, 20_000))
    })
  })
}
