/** A number with its noun, in the singular for one: `1 node`, `2 nodes`. Give the plural if it does not end in `s`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
