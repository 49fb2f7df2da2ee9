import type { Finding } from './checks/check.ts'

/** A problem that a semantic check found. It has no correction. */
export interface SemanticFinding extends Pick<Finding, 'severity' | 'message' | 'at'> {
  readonly check: string
}

/** Finds semantic problems of a file, by its absolute path. */
export type FindSemanticProblems = (fullPath: string) => readonly SemanticFinding[]
