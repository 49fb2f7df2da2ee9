import { describe, expect, it } from 'vitest'
import { type Budget, budgets } from '../../../src/base/budgets/budgets.ts'
import { settingDefinitions } from '../../../src/machine/settings/definitions/index.ts'

const rows: readonly (readonly [name: string, budget: Budget])[] = Object.entries(budgets).flatMap(([group, table]) =>
  Object.entries(table as Readonly<Record<string, Budget>>).map(
    ([name, budget]) => [`${group}.${name}`, budget] as const,
  ),
)

describe('the table of budgets', () => {
  it.each(rows)('%s is a positive bound with words for all that is asked of it', (_, budget) => {
    expect(budget.bound).toBeGreaterThan(0)
    for (const words of [budget.of, budget.reason, budget.beyond]) expect(words).toMatch(/\S/)
  })

  it.each(rows.filter(([, { setting }]) => setting !== undefined))('%s is the default of its setting', (_, budget) => {
    const setting = settingDefinitions[budget.setting as keyof typeof settingDefinitions]
    const value = setting.kind.parse(setting.default)
    expect(budget.unit === 'ms' ? Number(value) * 1000 : value).toBe(budget.bound)
  })
})
