import { describe, expect, it } from 'vitest'
import { KeyedSlots } from '../../../src/base/threads/keyed-slots.ts'

const busy = () => new Error('busy')

/** Starts work that ends when `end` is called. */
function begin(slots: KeyedSlots, key: string) {
  let end = () => {}
  const work = new Promise<void>((done) => (end = done))
  return { end, done: slots.run(key, () => work) }
}

describe('keyed slots', () => {
  it('reject work beyond the limits for a key and in total, where no work may wait', async () => {
    const slots = new KeyedSlots({ atOnce: 3, waiting: 0, ofOne: { atOnce: 2, waiting: 0 } }, busy)
    const [first, second] = [begin(slots, 'a'), begin(slots, 'a')]
    await expect(begin(slots, 'a').done).rejects.toThrow('busy')
    second.end()
    await second.done
    const third = begin(slots, 'a')
    await expect(begin(slots, 'a').done).rejects.toThrow('busy')
    const other = begin(slots, 'b')
    await expect(begin(slots, 'c').done).rejects.toThrow('busy')
    for (const work of [first, third, other]) work.end()
    await Promise.all([first.done, third.done, other.done])
    await Promise.all(['a', 'a', 'c'].map((key) => slots.run(key, async () => {})))
  })

  it('run the work of a key in order, and that of other keys meanwhile', async () => {
    const slots = new KeyedSlots({ atOnce: Number.POSITIVE_INFINITY, ofOne: { atOnce: 1 } })
    const order: string[] = []
    const held = begin(slots, 'a')
    const fails = slots.run('a', async () => {
      order.push('a second')
      throw new Error('no')
    })
    const last = slots.run('a', async () => void order.push('a third'))
    await slots.run('b', async () => void order.push('b'))
    held.end()
    await expect(fails).rejects.toThrow('no')
    await last
    expect(order).toEqual(['b', 'a second', 'a third'])
  })

  it('go to the work that waited, its own key first, and a second release has no effect', async () => {
    const slots = new KeyedSlots({ atOnce: 3, waiting: 4, ofOne: { atOnce: 2, waiting: 2, waitMs: 60_000 } }, busy)
    const first = [await slots.take('a'), await slots.take('a')]
    const entered: string[] = []
    const enter = (key: string, word: string) =>
      slots.take(key).then((end) => {
        entered.push(word)
        return end
      })
    const third = enter('a', 'a third')
    const other = await enter('b', 'b')
    const full = enter('c', 'c')
    await new Promise(setImmediate)
    expect(entered).toEqual(['b'])
    first[0]!()
    first[0]!()
    const ends = [await full]
    first[1]!()
    ends.push(await third)
    expect(entered).toEqual(['b', 'c', 'a third'])
    for (const end of [...ends, other]) end()
    for (const end of await Promise.all(['a', 'b', 'c'].map((key) => slots.take(key)))) end()
  })

  it('reject work that waits too long, and give its place back', async () => {
    const ofOne = { atOnce: 2, waiting: 2, waitMs: 20 }
    const slots = new KeyedSlots({ atOnce: 2, waiting: 4, waitMs: 20, ofOne }, busy)
    const held = [await slots.take('a'), await slots.take('a')]
    const waiting = [slots.take('a'), slots.take('a'), slots.take('b')]
    await expect(slots.take('a')).rejects.toThrow('busy')
    const ends = await Promise.allSettled(waiting)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const end of held) end()
    expect(await Promise.all([slots.take('b'), slots.take('b')])).toHaveLength(2)
  })
})
