/** A request to an indirection. Each indirection may extend this type with properties for its termini. */
export interface Request {
  /** Key of the model: a certname, a path below a mount, a checksum. */
  readonly key: string
  /** Authenticated name of the client; `undefined` for this process itself. */
  readonly node?: string
  readonly environment?: string
  /** Bypass the cache. */
  readonly ignoreCache?: boolean
  /** Do not save the found model to the cache. */
  readonly ignoreCacheSave?: boolean
  /** Read only the cache. */
  readonly ignoreTerminus?: boolean
}
