import { describe, expect, it } from 'vitest'
import { parseFetchPktLines } from '../../../src/code/git/fetch-command.ts'
import { decodePktText, encodePktLine, flushPkt, PktLineReader, parsePktLines } from '../../../src/code/git/pkt-line.ts'
import { readPushHead } from '../../../src/code/git/push-commands.ts'
import { buildPushRejection } from '../../../src/code/git/push-report.ts'

const [a, b, none] = ['a', 'b', '0'].map((digit) => digit.repeat(40)) as [string, string, string]
const bounds = { refs: 3, optionBytes: 10 }

/** Bytes as they come, so many at a time. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function allOf(reader: PktLineReader): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of reader.bytes()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('lines of git', () => {
  it('are written and read', () => {
    const lines = Buffer.concat([
      encodePktLine('a\n'),
      encodePktLine(''),
      Buffer.from('0001'),
      Buffer.from('0002'),
      flushPkt,
      encodePktLine('x'.repeat(65_516)),
    ])
    expect(lines.toString('latin1', 0, 22)).toBe('0006a\n0004000100020000')
    expect(
      parsePktLines(lines).map((line) => (line.kind === 'data' ? decodePktText(line.bytes).length : line.kind)),
    ).toEqual([1, 0, 'delimiter', 'end', 'flush', 65_516])
    expect(() => encodePktLine('x'.repeat(65_517))).toThrow('a line is too long')
  })
})

describe('the head of a push', () => {
  const body = Buffer.concat([
    encodePktLine(`shallow ${a}\n`),
    encodePktLine(
      `${none} ${a} refs/heads/new\0 report-status side-band-64k push-options agent=git/2.39.5 object-format=sha1\n`,
    ),
    encodePktLine(`${a} ${none} refs/heads/gänse`),
    flushPkt,
    encodePktLine('plumb.x'),
    flushPkt,
    Buffer.from('PACK and all that'),
  ])

  it.each([1, 3, 7, 1000])('is read from pieces of %i bytes, and handed on with the rest', async (size) => {
    const reader = new PktLineReader(inPieces(body, size), 10_000)
    const { commands, capabilities } = await readPushHead(reader, bounds)
    expect(commands).toEqual([
      { before: none, after: a, ref: 'refs/heads/new' },
      { before: a, after: none, ref: 'refs/heads/gänse' },
    ])
    expect([...capabilities]).toEqual(['report-status', 'side-band-64k', 'push-options', 'agent', 'object-format'])
    expect((await allOf(reader)).equals(body)).toBe(true)
  })

  it('may be of a repository with longer ids', async () => {
    const [long, zeros] = ['c'.repeat(64), '0'.repeat(64)]
    const reader = new PktLineReader(
      inPieces(Buffer.concat([encodePktLine(`${zeros} ${long} refs/tags/v1\0`), flushPkt]), 5),
      10_000,
    )
    expect((await readPushHead(reader, bounds)).commands).toEqual([{ before: zeros, after: long, ref: 'refs/tags/v1' }])
  })

  it('is answered with a reason for each ref, whose git may have a side band or not', () => {
    const commands = [
      { before: a, after: b, ref: 'refs/heads/x' },
      { before: a, after: b, ref: 'refs/heads/y' },
    ]
    const refusal = {
      reasons: new Map([['refs/heads/x', 'no']]),
      otherwise: 'another ref is rejected',
      lines: ['Error: no\x1b[31m'],
    }
    const plain = 'unpack ok\n|ng refs/heads/x no\n|ng refs/heads/y another ref is rejected\n|flush'
    const read = (bytes: Buffer) =>
      parsePktLines(bytes).map((line) => (line.kind === 'data' ? line.bytes.toString() : line.kind))
    expect(read(buildPushRejection({ commands, capabilities: new Set(['report-status']) }, refusal)).join('|')).toBe(
      plain,
    )
    const [said, report, end] = read(
      buildPushRejection({ commands, capabilities: new Set(['report-status-v2', 'side-band-64k']) }, refusal),
    )
    expect([said, end]).toEqual(['\x02Error: no\\x1b[31m\n', 'flush'])
    expect(report?.[0]).toBe('\x01')
    expect(read(Buffer.from(report!.slice(1))).join('|')).toBe(plain)
    expect(buildPushRejection({ commands, capabilities: new Set() }, refusal)).toEqual(Buffer.alloc(0))
  })
})

describe('a command of protocol 2', () => {
  const lines = (...words: (string | Buffer)[]) =>
    Buffer.concat(words.map((word) => (typeof word === 'string' ? encodePktLine(word) : word)))
  const delimiter = Buffer.from('0001')

  it('lists, or says what it wants', () => {
    expect(parseFetchPktLines(lines('command=ls-refs\n', flushPkt))).toEqual({ kind: 'ls-refs' })
    expect(
      parseFetchPktLines(lines('command=ls-refs\n', 'agent=x', delimiter, 'peel\n', 'ref-prefix HEAD', flushPkt)),
    ).toEqual({ kind: 'ls-refs' })
    const fetched = parseFetchPktLines(
      lines('command=fetch', delimiter, 'thin-pack', `want ${a}\n`, `have ${b}`, `want ${b}`, 'done', flushPkt),
    )
    expect(fetched).toEqual({ kind: 'fetch', wants: new Set([a, b]) })
  })

  it.each([
    ['nothing', lines()],
    ['a flush', lines(flushPkt)],
    ['no end', lines('command=fetch', delimiter, `want ${a}`)],
    ['another command', lines('command=object-info', flushPkt)],
    ['two', lines('command=fetch', delimiter, flushPkt, 'command=fetch', flushPkt)],
    ['a want in capitals', lines('command=fetch', delimiter, `want ${a.toUpperCase()}`, flushPkt)],
    ['a want of a ref', lines('command=fetch', delimiter, 'want-ref refs/heads/x', flushPkt)],
    ['bytes behind it', lines('command=fetch', delimiter, flushPkt, Buffer.from('00'))],
  ])('is not %s', (_, body) => {
    expect(() => parseFetchPktLines(body)).toThrow('The request violates the Git protocol')
  })
})
