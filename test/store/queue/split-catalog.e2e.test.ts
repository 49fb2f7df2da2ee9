import { describe, expect, it } from 'vitest'
import { splitCatalog } from '../../../src/store/commands/split-catalog.ts'
import { Store } from '../../../src/store/thread/store.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { datasetCommands } from '../dataset/commands.js'
import { payloadText } from '../dataset/load.js'

const split = (text: string, version = 9) => splitCatalog(Buffer.from(text), version)

describe('a catalog is split into what it holds and what is about it', () => {
  it.each([
    [
      '{"a":1,"resources":[{"t":"]}\\\\\\"["}],"b":{"edges":[1]},"edges":[]}',
      '{"a":1,"resources":[],"b":{"edges":[1]},"edges":[]}',
    ],
    [' { "edges" : [ 1 ] , "resources" : [ "ü" ] , "b" : "é" } ', ' { "edges" : [] , "resources" : [] , "b" : "é" } '],
    ['{"resources":{"a":[]},"edges":null}', '{"resources":[],"edges":[]}'],
  ])('%s', (text, about) => {
    expect(split(text)?.about.toString()).toBe(about)
  })

  it.each([
    '[]',
    '',
    '{',
    '{"resources":[]}',
    '{"resources":[],"edges":[',
    '{"resources":[],"edges":["]}',
    '{"resources":[],"resources":[],"edges":[]}',
    '{"resources":[],"\\u0065dges":[]}',
    '{"resources":[],"edges":[]',
    '{"resources":[] "edges":[]}',
  ])('not where it looks like something else: %s', (text) => {
    expect(split(text)).toBeUndefined()
  })

  it('has a digest of both, and of the version', () => {
    const digests = [
      split('{"resources":[1],"edges":[2],"v":1}'),
      split('{"resources":[1],"edges":[2],"v":2}'),
      split('{"resources":[1,2],"edges":[],"v":1}'),
      split('{"resources":[1],"edges":[2],"v":1}', 8),
      split('{"edges":[1],"resources":[2],"v":1}'),
    ].map((found) => found?.digest)
    expect(digests[0]).toBe(digests[1])
    expect(new Set(digests).size).toBe(4)
  })
})

describe('a catalog that has not changed', () => {
  const { payload } = datasetCommands().find(({ command }) => command === 'replace catalog')!
  const text = payloadText(payload)
  const later = (seconds: number, more: object = {}) =>
    payloadText({
      ...payload,
      producer_timestamp: new Date(Date.parse(payload.producer_timestamp) + seconds * 1000).toISOString(),
      ...more,
    })

  it('is known again, and nothing else is taken for it', async () => {
    const store = await Store.open({ folder: scratchFolder('unchanged') })
    const tell = async (payload: string, certname: string) => {
      const command = { name: 'replace catalog', version: 9, certname, payload: Buffer.from(payload) } as const
      return (await store.submitAndWait(command, 60_000)).processed
    }
    const catalog = async (certname: string) => {
      let answer = ''
      for await (const piece of (await store.ask({ method: 'GET', path: `/catalogs/${certname}`, search: '' }))!.pieces)
        answer += piece
      return JSON.parse(answer)
    }
    const { certname } = payload
    await tell(text, certname)
    const before = await catalog(certname)
    await tell(later(10, { version: 'second', code_id: 'c2' }), certname)
    const after = await catalog(certname)
    expect(after).toMatchObject({ version: 'second', code_id: 'c2', hash: before.hash })
    expect(after.resources).toEqual(before.resources)
    expect(after.edges).toEqual(before.edges)
    // The name in the address is another node's: it must not be taken for that one's catalog.
    await tell(later(20, { certname: 'other.example.com' }), certname)
    expect((await catalog('other.example.com')).resources.data.length).toBe(before.resources.data.length)
    // Two at once, of which the second is as the one before the first.
    const changed = later(30, { resources: (payload.resources as readonly unknown[]).slice(0, 4), edges: [] })
    const outcomes = await Promise.all([tell(changed, certname), tell(later(40, { version: 'fifth' }), certname)])
    expect(outcomes).toEqual([{ problem: undefined }, { problem: undefined }])
    expect(await catalog(certname)).toMatchObject({ version: 'fifth', hash: before.hash })
    expect((await catalog(certname)).resources.data.length).toBe(before.resources.data.length)
    // What is about it is read in any case.
    expect((await tell(later(50, { version: 5 }), certname))?.problem).toMatch(/version/)
    await store.close()
  })
})
