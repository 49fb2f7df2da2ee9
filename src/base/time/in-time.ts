/**
 * The answer of work, or, after so many milliseconds without one, the error that `late` makes: the work itself goes on, unless
 * `late` ends it. Throws both.
 */
export async function inTime<Answer>(work: Promise<Answer>, timeMs: number, late: () => Error): Promise<Answer> {
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
