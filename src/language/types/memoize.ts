/**
 * Returns a function that calls `make` on its first call and caches the value. A recursive call during `make`, as for a
 * recursive type, returns `meanwhile`. If `make` throws, the next call tries again.
 */
export function memoize<Made>(make: () => Made, meanwhile: Made): () => Made {
  let made: { readonly value: Made } | undefined
  let isUnderWay = false
  return () => {
    if (made) return made.value
    if (isUnderWay) return meanwhile
    isUnderWay = true
    try {
      made = { value: make() }
      return made.value
    } finally {
      isUnderWay = false
    }
  }
}
