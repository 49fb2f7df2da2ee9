import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** What `test/oracle/dump.rb` is asked. */
export interface Question {
  readonly file?: string
  readonly code?: string
  readonly epp?: boolean
  readonly check?: boolean
}

/** What real Puppet says of it. */
export interface Answer {
  readonly tree?: string
  readonly found?: readonly (readonly [string, string, string, number, number])[]
  readonly error?: string
  readonly crash?: string
}

/** Asks real Puppet, all at once. */
export function askPuppet(questions: readonly Question[]): Answer[] {
  const script = resolve(import.meta.dirname, '../oracle/dump.rb')
  const input = questions.map((each) => `${JSON.stringify(each)}\n`).join('')
  const { stdout, stderr, status } = spawnSync('ruby', [script], { input, encoding: 'utf8', maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`dump.rb failed: ${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
}
