import { describe, expect, it } from 'vitest'
import { LoadedMemory } from '../../../../src/code/environments/git/loaded-memory.ts'

const buffer = (bytes: number) => new SharedArrayBuffer(bytes)
const treeOf = (pack: SharedArrayBuffer, index = buffer(10)) => ({ packs: [pack], index: [index] })
const placesOf = (pack: SharedArrayBuffer, ...oids: string[]) =>
  new Map(oids.map((oid, at) => [oid, { pack, offset: at, size: 1 }]))

describe('the memory of loaded commits', () => {
  it('counts a buffer of several commits once, and a file in each commit', () => {
    const memory = new LoadedMemory()
    const pack = buffer(100)
    const [one, two] = [treeOf(pack), treeOf(pack)]
    memory.add(one, 3, placesOf(pack, 'a', 'b'))
    memory.add(two, 4, placesOf(pack, 'b', 'c'))
    expect([memory.files, memory.bytes]).toEqual([7, 120])
    memory.remove(one, 3, ['a', 'b'])
    expect([memory.files, memory.bytes]).toEqual([4, 110])
    expect(['a', 'b', 'c'].map((oid) => memory.find(oid) !== undefined)).toEqual([false, true, true])
    memory.remove(two, 4, ['b', 'c'])
    expect([memory.files, memory.bytes, memory.find('c')]).toEqual([0, 0, undefined])
  })

  it('finds a blob where it was loaded last', () => {
    const memory = new LoadedMemory()
    const [old, fresh] = [buffer(100), buffer(50)]
    memory.add(treeOf(old), 1, placesOf(old, 'a'))
    memory.add(treeOf(fresh), 1, placesOf(fresh, 'a'))
    expect(memory.find('a')?.pack).toBe(fresh)
  })
})
