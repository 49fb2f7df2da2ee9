import { budgets } from '../../../base/budgets/budgets.ts'
import { PuppetError } from '../../../base/issue.ts'
import { createGrowingLru } from '../../../base/lru-cache.ts'

const { failedDecryption, failedDecryptions } = budgets.secret

/** Failed decryptions of this thread, by the id of the encrypted data and of the keys. */
const failures = createGrowingLru<PuppetError>(failedDecryptions.bound, { ttl: failedDecryption.bound })

/**
 * Runs a decryption. Throws its error again for a minute without another attempt, if `isLasting` is true for the error:
 * an attempt may be slow, and would fail in each compilation.
 */
export function decryptUnlessFailed<Result>(
  id: string,
  isLasting: (error: PuppetError) => boolean,
  decrypt: () => Result,
): Result {
  const known = failures.get(id)
  if (known) throw known
  try {
    return decrypt()
  } catch (error) {
    if (error instanceof PuppetError && isLasting(error)) failures.set(id, error)
    throw error
  }
}
