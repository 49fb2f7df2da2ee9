import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mapOnThreads, type ThreadMapping } from '../../../src/base/threads/thread-map.ts'

const mapping: ThreadMapping<string, string> = {
  thread: {
    script: join(import.meta.dirname, '../../support/list-thread.js'),
    stackSizeMb: 4,
    heapMb: 64,
    timeMs: 60_000,
  },
  map: (word) => `${word} here`,
  fail: (word, { message }) => `${word} failed: ${message}`,
}

async function mapWords(words: readonly string[], other: Partial<typeof mapping> = {}): Promise<readonly string[]> {
  const results: string[] = []
  for await (const result of mapOnThreads(words, { ...mapping, ...other })) results.push(result)
  return results
}

/** Words for several threads; the first ones are always mapped on a thread. */
const words = Array.from({ length: 1000 }, (_, index) => `w${index}`)
const hasThreads = availableParallelism() > 1

it('maps few items on the current thread', async () => {
  expect(await mapWords(words.slice(0, 300))).toEqual(words.slice(0, 300).map((word) => `${word} here`))
})

it('maps many items on several threads, and returns the results in order', async () => {
  const results = await mapWords(words)
  expect(results.map((result) => result.split(' ')[0])).toEqual(words)
  expect(results[0]).toBe(hasThreads ? 'w0 there' : 'w0 here')
  expect(results.filter((result) => !/^w\d+ (?:here|there)$/.test(result))).toEqual([])
})

it('reports the item that ends a thread, and maps all others', async () => {
  const falling = words.with(3, 'fall')
  const results = await mapWords(falling)
  expect(results[3]).toBe(hasThreads ? 'fall failed: it fell' : 'fall here')
  expect(results.toSpliced(3, 1).filter((result) => !/^w\d+ (?:here|there)$/.test(result))).toEqual([])
  expect(results.map((result) => result.split(' ')[0])).toEqual(falling)
})

it('throws an error of the function, and ends the threads', async () => {
  const map = () => {
    throw new Error('a bug')
  }
  await expect(mapWords(words, { map })).rejects.toThrow('a bug')
})

it('ends the threads if the results are no longer read', async () => {
  for await (const result of mapOnThreads(words, mapping)) {
    expect(result).toMatch(/^w0 /)
    break
  }
})
