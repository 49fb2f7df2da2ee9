import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { computeAnswerDigest, pruneAnswers, saveAnswer } from '../../../src/network/outside/answer-cache.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 6, minute))

it('keeps an answer once, by its digest, for nobody else to read', () => {
  const folder = join(scratchFolder('answers'), 'answers')
  expect(saveAnswer(folder, '[1]', at(0))).toBe(computeAnswerDigest('[1]'))
  saveAnswer(folder, '[2]', at(1))
  saveAnswer(folder, '[1]', at(2))
  expect(readdirSync(folder).sort()).toEqual(
    [`${computeAnswerDigest('[1]')}.json`, `${computeAnswerDigest('[2]')}.json`].sort(),
  )
  const file = join(folder, `${computeAnswerDigest('[1]')}.json`)
  expect(readFileSync(file, 'utf8')).toBe('[1]')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(file).mtime).toEqual(at(2))
})

it('forgets what was used longest ago', async () => {
  const folder = join(scratchFolder('answers'), 'answers')
  await pruneAnswers(folder)
  for (const [minute, text] of ['[1]', '[2]', '[3]'].entries()) saveAnswer(folder, text, at(minute))
  saveAnswer(folder, '[1]', at(9))
  await pruneAnswers(folder, 6)
  expect(readdirSync(folder).sort()).toEqual(
    [`${computeAnswerDigest('[1]')}.json`, `${computeAnswerDigest('[3]')}.json`].sort(),
  )
})
