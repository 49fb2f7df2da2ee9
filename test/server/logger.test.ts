import { describe, expect, it } from 'vitest'
import { formatPlainLine } from '../../src/server/logger.ts'

describe('a line of the log on a terminal', () => {
  it.each([
    [
      '{"level":30,"time":"2026-11-28T01:02:03.004Z","reqId":"a-1","status":200,"msg":"answered"}',
      '01:02:03 Info: answered reqId=a-1 status=200\n',
    ],
    [
      '{"level":50,"time":"2026-11-28T01:02:03.004Z","err":{"type":"Error","message":"no room","stack":"x"},"msg":"stored nothing"}',
      '01:02:03 Error: stored nothing: no room\n',
    ],
    ['{"level":60,"msg":"ended","client":{"ip":"::1"}}', ' Critical: ended client={"ip":"::1"}\n'],
    ['{"level":40,"msg":"a\\u001b[2Jb\\nForged: line"}', ' Warning: a\\e[2Jb\\nForged: line\n'],
  ])('%s', (line, plain) => {
    const shown = formatPlainLine(line)
    expect(shown.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/)
    expect(shown.split(' ')[1]).toBe(plain.split(' ')[1])
    if (!line.includes('u001b')) expect(shown).toBe(plain)
  })

  it('keeps what is no JSON', () => expect(formatPlainLine('plain text\n')).toBe('plain text\n'))
})
