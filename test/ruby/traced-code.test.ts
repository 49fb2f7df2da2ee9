import { describe, expect, it } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { getCodeBase } from '../../src/ruby/session/traced/traced-code.ts'

describe('the code of calls that may be remembered', () => {
  const base = getCodeBase('bounds', 'digest')
  const long = 'x'.repeat(budgets.environment.judgedCode.bound)

  it('is the same each time', () => {
    expect(base.code('template a', [], 'x')).toBe(base.code('template a', [], 'x'))
  })

  it('is not remembered where its text is longer than all that is kept', () => {
    expect(base.code('template long', [], long).reason).toBe('is too long')
    expect(base.code('template short', [], 'x').reason).toBeUndefined()
  })

  it('makes room for what is rendered', () => {
    const first = base.code('template first', [], 'x')
    for (const name of ['b', 'c']) base.code(`template ${name}`, [], long.slice(0, -2))
    expect(base.code('template first', [], 'x')).not.toBe(first)
  })
})
