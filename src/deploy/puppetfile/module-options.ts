import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { describeValueType, type PuppetfileValue } from './declarations.ts'
import { puppetfileIssues as issues } from './issues.ts'

/** Keys that are valid for modules of any kind. */
const ofAll = ['install_path', 'exclude_spec']

/** Typed access to the options of a `mod`, which rejects values of other types. */
export interface ModuleOptions {
  /** Title of the module, for errors. */
  readonly title: string
  /** Keys of the options, in the order of the Puppetfile. */
  readonly keys: readonly string[]
  has(key: string): boolean
  /** Returns true if the key is absent or nil. */
  isNil(key: string): boolean
  /** Returns a text, or the name of a symbol; `undefined` if absent or nil. Throws PUPPETFILE_NOT_TEXT. */
  text(key: string): string | undefined
  symbol(key: string): string | undefined
  /** Returns a boolean. Throws PUPPETFILE_NOT_TEXT for other values. */
  isTrue(key: string): boolean
  /** Throws PUPPETFILE_UNKNOWN_KEY for the first key that is neither listed nor valid for all modules. */
  allow(...known: readonly string[]): void
}

/** Returns the options of a module from the arguments of its `mod`. */
export function createModuleOptions(title: string, options: ReadonlyMap<string, PuppetfileValue>): ModuleOptions {
  const describeOption = (key: string) => `Module ${title}: :${key}`
  const getSymbol = (key: string) => {
    const value = options.get(key)
    return typeof value === 'object' && value !== null && 'symbol' in value ? value.symbol : undefined
  }
  return {
    title,
    keys: [...options.keys()],
    has: (key) => options.has(key),
    isNil: (key) => (options.get(key) ?? null) === null,
    symbol: getSymbol,
    text(key) {
      const value = options.get(key) ?? null
      if (value === null) return undefined
      const found = typeof value === 'string' ? value : getSymbol(key)
      if (found === undefined)
        return throwIssue(issues.PUPPETFILE_NOT_TEXT, { what: describeOption(key), got: describeValueType(value) })
      const { bound } = budgets.module.words
      if (found.length > bound) throwIssue(issues.PUPPETFILE_TOO_MUCH, { of: `characters in :${key}`, bound })
      return found
    },
    isTrue(key) {
      const value = options.get(key) ?? null
      if (value === null || typeof value === 'boolean') return value === true
      return throwIssue(issues.PUPPETFILE_NOT_TEXT, {
        what: describeOption(key),
        got: `${describeValueType(value)}; it must be true or false`,
      })
    },
    allow(...known) {
      const all = [...known, ...ofAll]
      const key = [...options.keys()].find((each) => !all.includes(each))
      if (key !== undefined) throwIssue(issues.PUPPETFILE_UNKNOWN_KEY, { module: title, key, known: all })
    },
  }
}
