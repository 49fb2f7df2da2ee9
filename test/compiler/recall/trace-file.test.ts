import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  readStepGroups,
  readTrace,
  readTraceCatalog,
  readTraceHead,
  writeTrace,
} from '../../../src/compiler/recall/trace-file.ts'
import type { CatalogTrace } from '../../../src/compiler/recall/traced-catalog.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const key = Buffer.alloc(32, 7)
const folder = scratchFolder('trace-file')

/** Of so many questions about code. */
function traceOf(word: string, size = 200): CatalogTrace {
  return {
    key: `key ${word}`,
    own: [{ question: { kind: 'fact', args: ['os', 'family'] }, answer: '"Debian"' }],
    code: Array.from({ length: size }, (_, at) => ({
      question: { kind: 'kind', args: ['0', `${word}/${String(at).padStart(6, '0')}`] },
      answer: 'file',
    })),
    catalog: {
      text: { tags: ['a'], name: 'n1', times: [3], rest: Buffer.from(`{"the rest of ${word}":"\u00fc"}`) },
      ...{ environment: 'production', exports: [], collects: ['x'], lookups: ['k'], logs: [] },
      asked: [{ question: 'q', digest: 'd' }],
      stored: Buffer.from(`stored ${word}`),
    },
  }
}

function sorted({ code, ...others }: CatalogTrace): object {
  return {
    ...others,
    code: [...code].sort((one, other) => (String(one.question.args) < String(other.question.args) ? -1 : 1)),
  }
}

function written(name: string, trace: CatalogTrace): string {
  const path = join(folder, name)
  writeTrace(path, trace, key)
  return path
}

describe('the file of a trace', () => {
  it.each([1, 200, 20_000])('gives back what was written, with %i questions', (size) => {
    const trace = traceOf('one', size)
    const path = written(`whole-${size}`, trace)
    expect(sorted(readTrace(path, key)!)).toEqual(sorted(trace))
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('gives back a catalog that is not for a store', () => {
    const trace = { ...traceOf('none'), code: [] }
    const bare = { ...trace, catalog: { ...trace.catalog, stored: undefined } }
    expect(readTrace(written('bare', bare), key)).toEqual(bare)
  })

  it('has nothing in clear', () => {
    const bytes = readFileSync(written('clear', traceOf('secret'))).toString('latin1')
    expect(bytes).not.toMatch(/secret|Debian|stored|rest/)
  })

  it('is none under another key, or where there is none', () => {
    const path = written('key', traceOf('one'))
    expect(readTraceHead(path, Buffer.alloc(32, 8))).toBeUndefined()
    expect(readTraceHead(join(folder, 'nobody'), key)).toBeUndefined()
  })

  it('is none with any byte changed, or cut anywhere', () => {
    const bytes = readFileSync(written('bytes', traceOf('one', 20)))
    const path = join(folder, 'edited')
    for (let at = 0; at < bytes.length; at += 7) {
      const edited = Buffer.from(bytes)
      edited[at]! ^= 1
      writeFileSync(path, edited)
      expect(readTrace(path, key), `byte ${at}`).toBeUndefined()
      writeFileSync(path, bytes.subarray(0, at))
      expect(readTrace(path, key), `${at} bytes`).toBeUndefined()
    }
  })

  it('gives no part of another file to who has the head', () => {
    const path = written('replaced', traceOf('one'))
    const head = readTraceHead(path, key)!
    writeTrace(path, traceOf('two'), key)
    expect([readStepGroups(head, key), readTraceCatalog(head, key)]).toEqual([undefined, undefined])
    // Sections of the same size, sealed with the same key, put behind another head.
    const [mine, theirs] = [readFileSync(path), readFileSync(written('other', traceOf('six')))]
    const behind = mine.readUInt32LE() + 4
    writeFileSync(path, Buffer.concat([mine.subarray(0, behind), theirs.subarray(behind)]))
    expect(readTraceHead(path, key)).toBeDefined()
    expect(readTrace(path, key)).toBeUndefined()
  })
})
