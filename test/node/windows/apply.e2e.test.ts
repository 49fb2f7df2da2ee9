import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

describe.skipIf(missing)(`plumb apply on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows?.stop())

  it('writes a file with CRLF, and changes nothing in a second run', async () => {
    writeFileSync(join(windows.driveC, 'work/site.pp'), `file { 'C:/work/hello.txt': content => "hello\\r\\n" }\n`)
    const first = await windows.plumb(['apply', '--detailed-exitcodes', 'C:\\work\\site.pp'])
    expect(first).toMatchObject({ exitCode: 2, stderr: '' })
    expect(first.stdout).toContain('/Stage[main]/Main/File[C:/work/hello.txt]/ensure: defined content as')
    expect(readFileSync(join(windows.driveC, 'work/hello.txt'), 'utf8')).toBe('hello\r\n')
    const second = await windows.plumb(['apply', '--detailed-exitcodes', 'C:\\work\\site.pp'])
    expect(second).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
