import { describe, expect, it } from 'vitest'
import { compileCase, readCases, writeCase } from './case.ts'

describe('catalogs', () => {
  it.each(readCases())('%s', async (name, each) => {
    const outcome = await compileCase(each)
    if (process.env.UPDATE) writeCase(name, each, outcome)
    else expect(outcome).toEqual(each.expected)
  })
})
