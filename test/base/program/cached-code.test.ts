import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { beforeEach, describe, expect, it } from 'vitest'
import { CachedCode, wrapCommonJs } from '../../../src/base/program/cached-code.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let folder: string
beforeEach(() => {
  folder = scratchFolder('code')
  write(
    'main.cjs',
    "exports.words = () => `${require('./word.cjs').word} of ${require('node:path').basename(__filename)}`",
  )
  write('word.cjs', "const main = require('./main.cjs')\nexports.word = 'words'\nexports.main = main")
})

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), wrapCommonJs(text))
}

interface Main {
  words(): string
}

const main = () => join(folder, 'main.cjs')
const kept = (role = '') => `${main()}.${cachedDataVersionTag().toString(16)}${role}.v8`
const words = (code = new CachedCode()) => (code.load(main()) as Main).words()

describe('code of the build', () => {
  it('is loaded once, with what it requires, in a circle too', () => {
    const code = new CachedCode()
    expect(words(code)).toBe('words of main.cjs')
    expect(code.load(main())).toBe(code.load(main()))
    expect(code.load(join(folder, 'word.cjs'))).toMatchObject({ main: code.load(main()) })
  })

  it('is the same with what V8 compiled of it', () => {
    const code = new CachedCode()
    words(code)
    code.save()
    expect(readFileSync(kept()).length).toBeGreaterThan(100)
    expect(words()).toBe('words of main.cjs')
  })

  it('has caches of its own for a role', () => {
    const code = new CachedCode('.role')
    words(code)
    code.save()
    expect(readFileSync(kept('.role')).length).toBeGreaterThan(100)
    expect(existsSync(kept())).toBe(false)
    expect(words(new CachedCode('.role'))).toBe('words of main.cjs')
  })

  it.each([
    ['of another V8', Buffer.from('nothing that V8 knows')],
    ['of nothing', Buffer.alloc(0)],
  ])('does not need what is left %s', (_, bytes) => {
    writeFileSync(kept(), bytes)
    expect(words()).toBe('words of main.cjs')
  })

  it('is not taken for what it was before it changed', () => {
    const code = new CachedCode()
    words(code)
    code.save()
    write('main.cjs', "exports.words = () => 'others'")
    expect(words()).toBe('others')
  })

  it('says where an error arose', () => {
    write('main.cjs', '\n\nthrow new Error("broken")')
    expect(() => words()).toThrow(expect.objectContaining({ stack: expect.stringContaining(`${main()}:3`) }))
  })

  it.each([
    ['a text', "'é — 😀'", 'é — 😀'],
    ['a template', '`é${1}😀`', 'é1😀'],
    ['a pattern', "'aé😀'.replace(/[é]/, '').replace(/^.[😀]$/u, 'found')", 'found'],
    ['a name', '((é) => é)(1)', 1],
    ['a comment', '2 // —', 2],
  ])('is what was written, beyond ASCII too: %s', (_, code, value) => {
    write('main.cjs', `exports.value = ${code}`)
    expect(readFileSync(main()).every((byte) => byte < 128)).toBe(true)
    expect(new CachedCode().load(main())).toEqual({ value })
  })

  it.each(['String.raw`é`', '/[\\—]/'])('is not written otherwise than it reads: %s', (code) => {
    expect(() => wrapCommonJs(code)).toThrow('cannot be written in ASCII: ')
  })
})
