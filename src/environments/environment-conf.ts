/** What an environment.conf decides, defaults filled in. */
export interface EnvironmentSettings {
  /** Entries as they are written, `$basemodulepath` and its kin replaced. */
  readonly modulepath: readonly string[]
  readonly manifest: string
  readonly configVersion: string | undefined
  /** Seconds; `Infinity` for `unlimited`. */
  readonly environmentTimeout: number
  readonly staticCatalogs: boolean
  readonly richData: boolean
}
