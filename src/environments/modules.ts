import type { ModuleDirectory } from './compile-environment.ts'

/** A module of an environment. */
export interface Module {
  readonly name: string
  /** The folder itself. */
  readonly directory: ModuleDirectory
}
