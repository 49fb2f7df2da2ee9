import { describe, expect, it } from 'vitest'
import { corpus, keyOf } from './corpus/index.js'
import { readAnswers } from './fixture.js'

describe('the recorded answers of PuppetDB', () => {
  const answers = readAnswers()

  it('answer every question of the corpus', () => {
    expect(answers.map(({ question }) => keyOf(question))).toEqual(corpus().map(keyOf))
  })

  it('are many, and say much', () => {
    const valid = answers.filter(({ status }) => status === 200)
    const telling = valid.filter(({ rows }) => rows !== undefined && rows.length > 0)
    expect(valid.length).toBeGreaterThan(3000)
    expect(telling.length).toBeGreaterThan(valid.length * 0.6)
    expect(answers.length - valid.length).toBeGreaterThan(1000)
  })
})
