import { describe, expect, it } from 'vitest'
import { Slots } from '../../../src/base/threads/slots.ts'

const busy = () => new Error('busy')

describe('slots', () => {
  it('lets so many work at once, the others in turn', async () => {
    const slots = new Slots({ atOnce: 2, waiting: 10, waitMs: 60_000 }, busy)
    const order: number[] = []
    let [now, most] = [0, 0]
    const work = async (each: number) => {
      const giveBack = await slots.take()
      order.push(each)
      most = Math.max(most, ++now)
      await new Promise((done) => setImmediate(done))
      now--
      giveBack()
      giveBack() // counts once
    }
    await Promise.all([0, 1, 2, 3, 4, 5].map(work))
    expect([order, most]).toEqual([[0, 1, 2, 3, 4, 5], 2])
  })

  it('tells who finds no room to wait, and who waits too long, that it is busy', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 1, waitMs: 20 }, busy)
    const giveBack = await slots.take()
    const waits = slots.take()
    await expect(slots.take()).rejects.toThrow('busy')
    await expect(waits).rejects.toThrow('busy')
    giveBack()
    expect(await slots.take()).toBeTypeOf('function')
  })

  it('runs work one after another, also after a failure, and counts it', async () => {
    const slots = new Slots({ atOnce: 1 })
    const order: string[] = []
    const first = slots.run(async () => {
      await new Promise((done) => setImmediate(done))
      order.push('first')
      throw new Error('no')
    })
    const second = slots.run(async () => order.push('second'))
    expect(slots.size).toBe(2)
    await expect(first).rejects.toThrow('no')
    await second
    expect([order, slots.size]).toEqual([['first', 'second'], 0])
  })

  it('rejects work beyond the limit at once where none may wait', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 0 }, busy)
    const giveBack = await slots.take()
    await expect(slots.run(async () => {})).rejects.toThrow('busy')
    giveBack()
    await slots.run(async () => {})
  })
})
