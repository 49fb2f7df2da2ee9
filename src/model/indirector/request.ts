/** A request to an indirection. Each indirection may extend this type with properties for its termini. */
export interface Request {
  /** The name of the thing: a certname, a path below a mount, a checksum. */
  readonly key: string
  /** Who asks, by the name that was authenticated; `undefined` when it is this process itself. */
  readonly node?: string
  readonly environment?: string
  /** Do not read the cache. */
  readonly ignoreCache?: boolean
  /** Do not save what was found to the cache. */
  readonly ignoreCacheSave?: boolean
  /** Read the cache only. */
  readonly ignoreTerminus?: boolean
}
