import type { ExactJson } from '../../../base/json/exact-json.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { OutsideResponse } from '../outside-response.ts'

/** Settings of connections to stores of secrets. */
export type SecretSettings = Pick<
  Settings,
  | 'external_vault_addresses'
  | 'external_lookups'
  | 'external_aws_endpoint'
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
