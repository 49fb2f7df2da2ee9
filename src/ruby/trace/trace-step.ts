import { hash } from 'node:crypto'
import type { TraceQuestion } from './trace-question.ts'

/** A query and its reply. */
export interface TraceStep {
  readonly question: TraceQuestion
  /** Reply in the form that `shortenAnswer` returns. */
  readonly answer: string
}

/** Maximum length in characters of a reply that is stored without a digest. */
const longestAnswer = 100

/** Returns a reply, or its digest if that is shorter. */
export function shortenAnswer(answer: string): string {
  if (answer.length <= longestAnswer) return answer
  return `sha256:${hash('sha256', answer, 'base64')}`
}
