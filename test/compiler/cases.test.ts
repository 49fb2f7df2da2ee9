import { describe, expect, it } from 'vitest'
import { compileCase, readCases, writeCase } from './case.ts'

describe('catalogs', () => {
  it.each(readCases())('%s', (name, each) => {
    const outcome = compileCase(each)
    if (process.env.UPDATE) writeCase(name, each, outcome)
    else expect(outcome).toEqual(each.expected)
  })
})
