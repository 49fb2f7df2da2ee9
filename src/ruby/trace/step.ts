import { hash } from 'node:crypto'
import type { Question } from './question.ts'

/** A question, and the answer that it had. */
export interface Step {
  readonly question: Question
  /** As `shortened`. */
  readonly answer: string
}

/** Longest answer that is kept as it is, in characters. */
const longestAnswer = 100

/** An answer's form in a trace: the answer itself, or a digest where that is shorter. */
export function shortened(answer: string): string {
  if (answer.length <= longestAnswer) return answer
  return `sha256:${hash('sha256', answer, 'base64')}`
}
