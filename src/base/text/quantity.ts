/** Formats a number with its noun: `1 node`, `2 nodes`. */
export function formatQuantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
