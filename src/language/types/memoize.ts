/**
 * Caches the value of `make`, which runs on the first call. A recursive call during `make`, as for
 * a recursive type, returns `meanwhile`. If `make` throws, the next call runs it again.
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
