import { describe, expect, it } from 'vitest'
import type { Terminus } from '../../../src/model/indirector/terminus.ts'

/** Two models `a` that differ, and one `b`, with the part of a model that tells them apart. */
export interface Samples<Model> {
  readonly a: readonly [Model, Model]
  readonly b: Model
  shown(model: Model): unknown
}

/** What every terminus that stores must do; `isSingle` of one that has a single place for all. */
export function storesModels<Model>(
  name: string,
  terminusOf: () => Terminus<Model>,
  { a, b, shown }: Samples<Model>,
  isOne = false,
): void {
  describe(`${name} stores models`, () => {
    let terminus: Required<Terminus<Model>>
    const found = async (key: string) => {
      const model = await terminus.find({ key })
      return model && shown(model)
    }
    it('has none at first', async () => {
      terminus = terminusOf() as Required<Terminus<Model>>
      expect(await terminus.find({ key: 'a' })).toBeUndefined()
      expect((await terminus.search({ key: '' })) ?? []).toEqual([])
    })
    it('finds what was saved, the newest, and others beside it', async () => {
      await terminus.save(a[0], { key: 'a' })
      await terminus.save(a[1], { key: 'a' })
      expect(await found('a')).toEqual(shown(a[1]))
      await terminus.save(b, { key: 'b' })
      expect(await found('b')).toEqual(shown(b))
    })
    it('finds it when another process looks', async () => {
      if (name.endsWith('memory')) return
      terminus = terminusOf() as Required<Terminus<Model>>
      expect(await found('b')).toEqual(shown(b))
    })
    it('lists all', async () => {
      const all = ((await terminus.search({ key: '' })) ?? []).map((each) => JSON.stringify(shown(each)))
      const wanted = isOne ? [b] : [a[1], b]
      expect(all.sort()).toEqual(wanted.map((each) => JSON.stringify(shown(each))).sort())
    })
    it('forgets what is destroyed, also twice', async () => {
      await terminus.destroy({ key: 'a' })
      await terminus.destroy({ key: 'a' })
      expect(await found('a')).toBeUndefined()
      expect(await found('b')).toEqual(isOne ? undefined : shown(b))
    })
    it.each(name.endsWith('memory') ? [] : ['../x', 'a/b', '.hidden', '', 'a\0', '/etc/passwd'])(
      'refuses the key %j',
      async (key) => {
        await expect(terminus.find({ key })).rejects.toThrow('Invalid key for')
        if (!isOne) await expect(terminus.save(a[0], { key })).rejects.toThrow('Invalid key for')
        if (!isOne) await expect(terminus.destroy({ key })).rejects.toThrow('Invalid key for')
      },
    )
  })
}
