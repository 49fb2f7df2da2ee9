import { resolve } from 'node:path'
import { execaSync } from 'execa'
import { expect, it } from 'vitest'

it('has settings and commands documented as they are', () => {
  const { exitCode, stderr } = execaSync(process.execPath, [resolve('scripts/docs.js'), '--check'], { reject: false })
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
})
