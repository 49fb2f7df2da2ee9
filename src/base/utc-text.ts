/** `2031-11-20 13:43:51 UTC`, for people. */
export function utcText(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
