/** A request to an indirection. An indirection may extend this type with properties that its termini need. */
export interface Request {
  /** Key of the model, such as a certname, a path below a mount, or a checksum. */
  readonly key: string
  /** Authenticated certname of the client; `undefined` for requests of this process itself. */
  readonly node?: string
  readonly environment?: string
  /** True to bypass the cache. */
  readonly ignoreCache?: boolean
  /** True not to save the found model to the cache. */
  readonly ignoreCacheSave?: boolean
  /** True to read only the cache. */
  readonly ignoreTerminus?: boolean
}
