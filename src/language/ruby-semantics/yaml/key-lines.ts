import { readNodeMarks } from './node-positions.ts'

/** Returns the line numbers of the top-level keys of the first document; empty if the text is not valid YAML. */
export function findKeyLines(text: string): ReadonlyMap<string, number> {
  const marks = [...readNodeMarks(text, 1).values()]
  return new Map(marks.flatMap(({ path: [key], mark }) => (typeof key === 'string' ? [[key, mark.line + 1]] : [])))
}
