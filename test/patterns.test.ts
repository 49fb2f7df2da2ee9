import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Diagnostics } from 'recheck'
import { describe, expect, it } from 'vitest'
import { isNight } from './support/nightly.ts'
import { type FoundPattern, patternsIn } from './support/patterns-in.ts'

// Its part for browsers: plain JavaScript, which needs neither Java nor a program of the machine's kind.
const require = createRequire(import.meta.url)
const { checkSync } = require('recheck/lib/browser.js') as typeof import('recheck')
const version: string = require('recheck/package.json').version

/** Steps bound a proof, not time: what a busy machine has no time to try would be guessed otherwise. */
const proof = { timeout: null, recallTimeout: -1, seedingTimeout: null, incubationTimeout: null, attackTimeout: null }

/** What this version of the prover has proven; a minute's work, done each night again. `UPDATE=1` writes it. */
const recordFile = join(import.meta.dirname, 'proven-patterns.json')
const record = JSON.parse(readFileSync(recordFile, 'utf8')) as { version: string; patterns: string[] }
const isAnew = isNight || process.env.UPDATE !== undefined || record.version !== version
const proven = new Set(isAnew ? [] : record.patterns)

const root = join(import.meta.dirname, '../src')
const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .flatMap((file) => patternsIn(file, readFileSync(join(root, file), 'utf8')))

/** Where texts cost nobody else anything: a catalog is compiled in a thread of its own, which compile_timeout ends. */
const inCompileThreads = [
  'language/module-functions/',
  'language/functions/text/scanf.ts',
  'language/module-functions/stdlib/',
  'language/ruby-semantics/regexp/',
  'language/ruby-semantics/time/strptime.ts',
  // Their alternatives begin at the start, and no character is in two parts; the prover does not come to an end.
  'language/ruby-semantics/uri/parse-uri.ts',
]

/** Patterns that take longer than a text is long, each with the reason why that harms nobody. */
const bounded: Readonly<Record<string, string>> = {
  ['/ +$/gm']: 'what the demonstration prints itself',
  [String.raw`/serving .*:(\d+)\n/`]: 'what the server of the demonstration prints',
  [String.raw`/^(?<type>.*?)\s*(?<sigil>[*+&]?)\$(?<name>\w+)(?<optional>\??)$/s`]:
    'signatures of functions, in our own files',
  [String.raw`/'[^']*'|\/(?:\\.|[^/\\])+\/|[[{(]|[\]})]|,/g`]: 'signatures of functions, in our own files',
  [String.raw`/-?(?:0|[1-9]\d*)(?:(?:\.\d+(?:[Ee][+-]?\d+)?|[Ee][+-]?\d+)(?![\dEe.-])|(?!\d))/y`]:
    'sticky: it is looked for at one place, and each part gives back once',
  [String.raw`/^\s*(?:\S+\s+)?\(\s*see\s+\S+\s*\)\s*$/`]: 'tags of at most a thousand characters',
  ['/puppet(-.*)?$/']: 'the name at most a process, which has 15 characters long',
  [String.raw`/^(\d+?)0*$/`]: 'the digits of a number of nanoseconds, of which there are 19 at most',
}

/** Files whose patterns are put together when the program runs, each with the reason why that harms nobody. */
const composed: Readonly<Record<string, string>> = {
  'base/text/linear-pattern.ts': 'the groups of a pattern of our own are counted by an empty text',
  'store/commands/wire-time.ts': 'times, in texts of at most 64 characters',
  'node/facts/core/memory.ts': 'names of our own, in what the kernel says',
  'node/resources/providers/package/rpm-version.ts': 'names of architectures, of our own',
  'language/functions/text/sprintf.ts': 'one digit, from the start',
  'language/syntax/lexer/heredoc.ts':
    'one character between blanks, which it begins with; test/language/long-texts.test.ts',
  'language/ruby-semantics/uri/build-uri.ts': 'URIs of a catalog, in a thread that compiles',
  'language/ruby-semantics/numbers/format.ts': 'one digit, from the start',
  'language/values/timespan-format.ts': 'formats of a catalog, in a thread that compiles',
}

const isInCompileThread = ({ place }: FoundPattern): boolean => inCompileThreads.some((part) => place.startsWith(part))
const fileOf = ({ place }: FoundPattern): string => place.slice(0, place.lastIndexOf(':'))

/** One repetition of one character, from where the search begins, or none at all: nothing to prove. */
function isPlain({ source = '', flags }: FoundPattern): boolean {
  const repetitions = source.match(/[*+{]/g)?.length ?? 0
  if (!/[*+]|,\}/.test(source)) return repetitions <= 1
  const begins = flags.includes('y') || (source.startsWith('^') && !flags.includes('m'))
  return begins && repetitions === 1 && !/\||\)[*+{]/.test(source)
}

const fixed = found.filter((each) => each.source !== undefined)
const nameOf = ({ source, flags }: FoundPattern): string => `/${source}/${flags}`

describe('the patterns of our own', () => {
  it('are found', () => {
    expect(fixed.length).toBeGreaterThan(500)
    expect(patternsIn('a.ts', 'const a = `x${b}`, b = "y+"; new RegExp(`^${a}$`, "u")')).toEqual([
      { place: 'a.ts:1', expression: '`^${a}$`', source: '^xy+$', flags: 'u' },
    ])
  })

  it('take no longer than a text is long', { timeout: 1_800_000 }, () => {
    const unproven = new Map(
      fixed
        .filter((each) => !isPlain(each) && !isInCompileThread(each))
        .map((each) => [nameOf(each), each] as const)
        .filter(([name]) => !(name in bounded)),
    )
    const unsafe = new Map<string, string>()
    for (const [name, { source, flags, place }] of unproven) {
      if (proven.has(name)) continue
      const result: Diagnostics = checkSync(source!, flags, proof)
      if (result.status !== 'safe') unsafe.set(`${place} ${name}`, complaint(result))
    }
    expect(Object.fromEntries(unsafe)).toEqual({})
    if (process.env.UPDATE) {
      const patterns = [...unproven.keys()].sort()
      writeFileSync(recordFile, `${JSON.stringify({ version, patterns }, undefined, 2)}\n`)
    }
  })

  it('are refused where a text of twice the length takes four times as long', () => {
    expect(checkSync('^(.*)x(.*)y$', 's', proof).status).toBe('vulnerable')
  })

  it('are put together where that is said', () => {
    const unsaid = found.filter(
      (each) => each.source === undefined && !isInCompileThread(each) && !(fileOf(each) in composed),
    )
    expect(unsaid.map(({ place, expression }) => `${place} ${expression}`)).toEqual([])
  })

  it('are all there that reasons are given for', () => {
    const names = new Set(fixed.map(nameOf))
    const files = new Set(found.filter(({ source }) => source === undefined).map(fileOf))
    expect(Object.keys(bounded).filter((name) => !names.has(name))).toEqual([])
    expect(Object.keys(composed).filter((file) => !files.has(file))).toEqual([])
  })
})

function complaint(result: Diagnostics): string {
  if (result.status === 'unknown') return `unknown: ${result.error.kind}`
  return result.status === 'safe' ? '' : `${result.complexity.summary}: ${result.attack.pattern.slice(0, 100)}`
}
