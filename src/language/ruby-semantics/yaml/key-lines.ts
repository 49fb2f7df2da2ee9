import { nodeMarks } from './node-marks.ts'

/** The keys of the outermost mapping of the first document, and the lines on which they begin; none where that is wrong. */
export function keyLinesOf(text: string): ReadonlyMap<string, number> {
  const marks = [...nodeMarks(text, 1).values()]
  return new Map(marks.flatMap(({ path: [key], mark }) => (typeof key === 'string' ? [[key, mark.line + 1]] : [])))
}
