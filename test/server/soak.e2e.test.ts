import { resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'

/** Kinds of hostile clients that need little of the machine; `npm run soak` has all, for half an hour. */
const kinds = [
  'status-polls',
  'smuggling',
  'tls-garbage',
  'path-traversals',
  'odd-code-ids',
  'revoked-certificates',
  'hang-ups',
]
const rhythm = ['--agents', '5', '--interval', '20', '--alone-minutes', '0.1', '--minutes', '0.5']

it('has no honest request fail, and lives, beside a few hostile clients for half a minute', async () => {
  const words = [resolve('bench/soak.js'), ...rhythm, '--loose', '--only', ...kinds]
  const { exitCode, all } = await execa(process.execPath, words, { reject: false, all: true })
  expect(all).toContain('All promises were kept')
  expect(exitCode).toBe(0)
})
