/** Formats a number with its noun: `1 node`, `2 nodes`. Pass the plural if it is not the noun plus `s`. */
export function formatQuantity(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
