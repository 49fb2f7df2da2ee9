import { liveAnswers } from '../beside-puppet/apply-both.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const runs = (manifest: string, between: string, more: Partial<ApplyCase> = {}): ApplyCase => ({
  manifest,
  between,
  remembers: true,
  ...more,
})

situations(liveAnswers, 'corrective changes of types of modules', ['stdlib', 'inifile'], {
  'a line that somebody removes': runs("file_line { 'l': path => '@/f', line => 'two' }", 'echo one > @/f', {
    files: { f: 'one\n' },
  }),
  'a setting that somebody changes': runs(
    "ini_setting { 's': path => '@/f', section => 'a', setting => 'b', value => '1' }",
    'printf "[a]\\nb = 2\\n" > @/f',
  ),
})
