/**
 * What is made when it is first asked for. What asks for it while it is being made, as a type that names itself, gets
 * `meanwhile`; what could not be made is tried again.
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
