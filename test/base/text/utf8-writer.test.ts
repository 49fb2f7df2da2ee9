import { expect, it } from 'vitest'
import { Utf8Writer } from '../../../src/base/text/utf8-writer.ts'

it('writes what an encoder writes, whatever its first size', () => {
  const pieces = ['', 'ascii', 'Ä', '漢字'.repeat(5000), '😀', '\ud800', 'end']
  for (const size of [0, 7, 100_000]) {
    const writer = new Utf8Writer(size)
    for (const piece of pieces) writer.write(piece)
    expect(Buffer.from(writer.bytes())).toEqual(Buffer.from(new TextEncoder().encode(pieces.join(''))))
  }
})

it('writes beside others, and in the memory of those before it', () => {
  const written = (...texts: string[]) => {
    const writers = texts.map((text) => {
      const writer = new Utf8Writer(8)
      writer.write(text)
      return writer
    })
    return writers.map((writer) => writer.bytes())
  }
  const texts = ['first, and long', 'second']
  const [one, other] = written(...texts)
  written('third, over what they wrote', 'fourth')
  expect([one, other].map((bytes) => Buffer.from(bytes!).toString())).toEqual(texts)
})

it('gives memory of its own, that can be handed on', () => {
  const writer = new Utf8Writer(100)
  writer.write('text')
  expect(writer.bytes().buffer.byteLength).toBe(4)
})
