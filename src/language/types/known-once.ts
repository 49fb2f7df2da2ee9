/**
 * The value that `make` gives, made at the first call and kept. A call while `make` is under way, as by a type that names
 * itself, gets `meanwhile`; a call after a failure tries again.
 */
export function knownOnce<Made>(make: () => Made, meanwhile: Made): () => Made {
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
