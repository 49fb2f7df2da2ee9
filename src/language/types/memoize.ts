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

/**
 * Adds the fields of a second object to `own`, and freezes it. `make` creates the second object on the first access to
 * one of its fields. `meanwhile` has the same fields; it replaces the second object during a recursive access.
 */
export function completeLazily<Own extends object, Made extends object>(own: Own, make: () => Made, meanwhile: Made) {
  const made = memoize(make, meanwhile)
  for (const name of Object.keys(meanwhile) as (keyof Made)[])
    if (!Object.hasOwn(own, name)) Object.defineProperty(own, name, { enumerable: true, get: () => made()[name] })
  return Object.freeze(own) as Readonly<Own & Omit<Made, keyof Own>>
}
