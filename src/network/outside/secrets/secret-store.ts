import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { OutsideResponse } from '../outside-response.ts'
import { secretRefusals } from './issues.ts'
import { computeDigest } from './secret-question.ts'

/** Settings of connections to stores of secrets. */
export type SecretSettings = Pick<
  Settings,
  | 'external_vault_addresses'
  | 'external_lookups'
  | 'external_secret_endpoints'
  | 'eyaml_keydirs'
  | 'hostcert'
  | 'hostprivkey'
  | 'external_lookup_ttl'
>

/**
 * A store of secrets. An answer has the form `{"data", "version"}`, `{"absent": true}`, `{"ignored": true}`, `{"status",
 * "errors"}` for a rejected request, `{"refused"}` if settings or options forbid the request, or `{"failure"}`.
 */
export interface SecretStore {
  /** Reads a secret. Throws an error that becomes the member `refused` or `failure`. */
  read(content: ExactJson): Promise<OutsideResponse>
}

/** Throws SECRET_STORE_OFF unless the setting external_lookups allows a store. */
export function requireStore(
  store: 'aws' | 'azure' | 'google',
  { external_lookups: allowed }: Pick<SecretSettings, 'external_lookups'>,
): void {
  if (!allowed.includes(store)) throwIssue(secretRefusals.SECRET_STORE_OFF, { store })
}

/**
 * Returns the answer for a decrypted text, both in base64. The digest of the ciphertext is its version. It is kept as
 * long as possible, because the text of a ciphertext never changes.
 */
export function toDecryptedAnswer(base64: string, ciphertext: string): OutsideResponse {
  const answer = { data: { base64 }, version: computeDigest(ciphertext) }
  return { answer, ttlMs: budgets.outside.answerTtl.bound, isLeased: true }
}
