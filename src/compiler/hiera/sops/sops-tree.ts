import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import type { Value } from '../../../language/values/value.ts'
import { sopsIssues } from './issues.ts'

/** A value of a file encrypted with SOPS, before or after its decryption. Comments are omitted. */
export type SopsNode = SopsLeaf | SopsList | SopsMap | { readonly kind: 'null' }

/** A scalar value. */
export interface SopsLeaf {
  readonly kind: 'leaf'
  readonly value: Value
  /** The text that the MAC of the file covers, as SOPS writes the value. */
  readonly text: string
}

/** A list of values. */
export interface SopsList {
  readonly kind: 'list'
  readonly items: readonly SopsNode[]
}

/** A mapping, in the order of the file. */
export interface SopsMap {
  readonly kind: 'map'
  readonly entries: readonly (readonly [key: string, value: SopsNode])[]
}

/** The null value. */
export const sopsNull: SopsNode = { kind: 'null' }

/** Creates a string value. */
export function createTextLeaf(text: string): SopsLeaf {
  return { kind: 'leaf', value: text, text }
}

/** Counts the values and the levels of a file while it is read. */
export class SopsMeter {
  #values = 0
  #depth = 0

  /** Runs `work` one level deeper. Throws SOPS_LIMIT. */
  within<Result>(work: () => Result): Result {
    const { sopsValues, sopsDepth } = budgets.secret
    if (++this.#values > sopsValues.bound) throwIssue(sopsIssues.SOPS_LIMIT, { of: 'values', most: sopsValues.bound })
    if (++this.#depth > sopsDepth.bound) throwIssue(sopsIssues.SOPS_LIMIT, { of: 'levels', most: sopsDepth.bound })
    const result = work()
    this.#depth--
    return result
  }
}

/** Returns the value of a key; undefined if it is missing or null. */
export function findEntry({ entries }: SopsMap, key: string): Exclude<SopsNode, { kind: 'null' }> | undefined {
  const found = entries.find(([name]) => name === key)?.[1]
  return found?.kind === 'null' ? undefined : found
}
