import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { kindOf, type Plain } from './declarations.ts'
import { puppetfileIssues as issues } from './issues.ts'

/** Keys that modules of any kind have. */
const ofAll = ['install_path', 'exclude_spec']

/** The options of one `mod`, as a table that refuses what has another type. */
export interface ModuleOptions {
  /** The module, for errors. */
  readonly title: string
  /** Keys in their order. */
  readonly keys: readonly string[]
  has(key: string): boolean
  /** True of a key that is absent, or nil. */
  isNil(key: string): boolean
  /** A text; a symbol where it means the same as its name. `undefined` where it is absent or nil. Throws PUPPETFILE_NOT_TEXT. */
  text(key: string): string | undefined
  symbol(key: string): string | undefined
  /** Throws PUPPETFILE_NOT_TEXT for what is neither true nor false. */
  isTrue(key: string): boolean
  /** Throws PUPPETFILE_UNKNOWN_KEY for the first key that is none of these, nor of all modules. */
  allow(...known: readonly string[]): void
}

/** Options of a module by what its `mod` was given. */
export function moduleOptions(title: string, options: ReadonlyMap<string, Plain>): ModuleOptions {
  const what = (key: string) => `Module ${title}: :${key}`
  const symbol = (key: string) => {
    const value = options.get(key)
    return typeof value === 'object' && value !== null && 'symbol' in value ? value.symbol : undefined
  }
  return {
    title,
    keys: [...options.keys()],
    has: (key) => options.has(key),
    isNil: (key) => (options.get(key) ?? null) === null,
    symbol,
    text(key) {
      const value = options.get(key) ?? null
      if (value === null) return undefined
      const found = typeof value === 'string' ? value : symbol(key)
      if (found === undefined) return fail(issues.PUPPETFILE_NOT_TEXT, { what: what(key), got: kindOf(value) })
      const { bound } = budgets.module.words
      if (found.length > bound) fail(issues.PUPPETFILE_TOO_MUCH, { of: `characters of :${key}`, bound })
      return found
    },
    isTrue(key) {
      const value = options.get(key) ?? null
      if (value === null || typeof value === 'boolean') return value === true
      return fail(issues.PUPPETFILE_NOT_TEXT, { what: what(key), got: `${kindOf(value)}; it is true or false` })
    },
    allow(...known) {
      const all = [...known, ...ofAll]
      const key = [...options.keys()].find((each) => !all.includes(each))
      if (key !== undefined) fail(issues.PUPPETFILE_UNKNOWN_KEY, { module: title, key, known: all })
    },
  }
}
