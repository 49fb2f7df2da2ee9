/**
 * Result of `work`, or the error of `late` after `timeMs` milliseconds. The work continues unless
 * `late` stops it. Throws either error.
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
