/**
 * Returns the result of `work`. Rejects with the error of `work`, or with `late()` after `timeMs` milliseconds. `work`
 * continues after that unless `late` stops it.
 */
export async function awaitWithTimeout<Answer>(
  work: Promise<Answer>,
  timeMs: number,
  late: () => Error,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeMs)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
