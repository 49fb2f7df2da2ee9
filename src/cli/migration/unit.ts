/** Parts of a migration, as they can be left out. */
export const parts = ['ca', 'certificates', 'settings', 'auth', 'facts', 'code'] as const

/** A part of a migration. */
export type Part = (typeof parts)[number]

/** One file or folder that a migration makes. */
export interface Unit {
  readonly part: Part
  /** The file or folder of the Puppet Server, or its kin in words. */
  readonly from: string
  /** The path here. */
  readonly to: string
  /** Particulars: counts, most of all. */
  readonly note: string
  /** Writes it whole at a path where there is nothing. */
  stage(path: string): Promise<void>
}
