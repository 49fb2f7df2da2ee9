import { describe, expect, it } from 'vitest'
import { isRubyNative } from '../../../support/native-ruby.ts'
import { spring } from './snares.ts'

describe('a provider that misbehaves', () => {
  it('fails alone', async () => {
    const { applied, failed, lines } = await spring([
      'exit',
      'exit!',
      'raise Exception, "bare"',
      'throw :nobody',
      'def again(n) = again(n + 1); again(0)',
      isRubyNative
        ? 'IO.for_fd(4, autoclose: false).syswrite("garbage\n")'
        : 'File.open("/__bridge__", "r+b") { |f| f.syswrite("garbage") }',
      'abort("enough")',
      'Process.kill(:NOSUCH, 0)',
      'raise "caf\\xC3".b',
      '$stdout.sync = true',
      'prefetched',
    ])
    expect(applied).toBe(true)
    // Text that a module writes to the bridge (5) is no reply: the file has no reader, and the pipe ends the machine.
    const fails = isRubyNative ? ['5'] : []
    expect(failed).toEqual(['0', '1', '2', '3', '4', ...fails, '6', '7', '8', '10'])
    expect(lines.filter((line) => line.includes('change from'))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/change from 'old' to 'new' failed: bare/),
        expect.stringMatching(/change from 'prefetched' to 'new' failed: /),
      ]),
    )
  })

  it('cannot tell what is not to be shown', async () => {
    const told = ['raise "got #{resource[:value]}"', 'warning(resource[:value])', 'resource.err(resource[:value])']
    const { failed, lines, report } = await spring(told, "Sensitive('opensesame')")
    expect(failed).toEqual(['0'])
    expect(lines.filter((line) => line.includes('[redacted]')).length).toBeGreaterThan(3)
    expect(`${lines.join('\n')}${report}`).not.toContain('opensesame')
  })

  it('cannot fill the log', async () => {
    const { failed, lines } = await spring(['20_000.times { |i| notice("x" * 10) }', '1'])
    expect(failed).toEqual([])
    expect(lines.length).toBeLessThan(6_000)
    expect(lines).toContain('warning: The log of the Ruby code exceeds the limit; further messages are dropped')
  })
})
